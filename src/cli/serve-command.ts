import { randomBytes } from 'node:crypto'
import { Command, Option } from 'commander'
import type { Config } from '../config/config.ts'
import { hostNamePattern } from '../config/schema.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { checkToken } from '../gateway/access.ts'
import { type Gateway, namedUpstream, upstreamsWith } from '../gateway/index.ts'
import { storeRecording } from '../replay/store-recording.ts'
import { type Environment, openEnvironment } from '../session/environment.ts'
import type { Store } from '../store/index.ts'
import { laterStore, mayPass } from '../store/later-store.ts'
import { chosenSetup, withStoreOptions } from './chosen-store.ts'
import { defaultPort, nextFreePort } from './free-port.ts'
import { openRecording } from './recording-files.ts'
import { createRequestLog } from './request-log.ts'
import { servingJson, servingLines } from './serving-lines.ts'
import { type ServingOptions, startServing } from './start-serving.ts'
import { isTerminal, type Terminal, writeLines, writeNotice } from './terminal.ts'
import { catchUncaught } from './uncaught-errors.ts'

interface ServeOptions extends ServingOptions {
  readonly port?: string
  readonly upstream: readonly string[]
  readonly token?: string
  readonly load?: string
  readonly quiet?: true
  readonly json?: true
}

export function serveCommand(terminal: Terminal): Command {
  return withStoreOptions(new Command('serve'))
    .description('run the gateway between agents and their providers, which prunes what is sent')
    .option(
      '--port <number>',
      `port to listen on; 0 picks a free one; default: ${defaultPort}, or the next free one`,
    )
    .option(
      '--host <address>',
      'listen on another address than loopback; requires a token',
      '127.0.0.1',
    )
    .addOption(
      new Option(
        '--upstream <name=url>',
        'where requests go: anthropic, openai, gemini, or a name of your own (may be repeated)',
      )
        .argParser((value: string, before: readonly string[]) => [...before, value])
        .default([], 'none'),
    )
    .addOption(
      new Option('--token <token>', 'token for all routes but the model routes').env(
        'PALIMPSEST_TOKEN',
      ),
    )
    .addOption(
      new Option(
        '--allow-host <name>',
        'accept requests for this host name too, such as host.docker.internal (may be repeated)',
      )
        .argParser((value: string, before: readonly string[]) => [...before, hostName(value)])
        .default([], 'none'),
    )
    .option('--log <file>', 'append a line of JSON for each request, without texts and keys')
    .option('--load <recording>', 'load a recorded session into the store first')
    .option('--preset <name>', 'use the settings of this preset')
    .option('--schedule <name>', 'when decisions are applied')
    .option('--quiet', 'print no line for each request, and no totals at the end')
    .option(
      '--json',
      'print one JSON value when it listens: {url, token, dashboardToken, store, loaded, upstreams}, and one for each request',
    )
    .addHelpText(
      'after',
      `
Requests are forwarded with their own credentials, which are neither stored nor logged. The request header
\`x-palimpsest: off\`, or /off before the path, forwards a request unchanged. On SIGINT or SIGTERM it finishes open
requests and exits with 0.

Examples:
  palimpsest serve
  palimpsest serve --port 9000 --store postgres://gateway@db/palimpsest
  PALIMPSEST_TOKEN=… palimpsest serve --host 0.0.0.0 --log requests.jsonl
  palimpsest serve --upstream openai=http://127.0.0.1:11434/v1
  palimpsest serve --upstream deepseek=https://api.deepseek.com   at /deepseek/…`,
    )
    .action((options: ServeOptions) => serve(terminal, options))
}

async function serve(terminal: Terminal, options: ServeOptions): Promise<void> {
  const { host } = options
  const token = options.token ?? null
  // Before anything else, so that a refused start leaves nothing behind.
  checkToken({ host, token })
  const dashboardToken = token ?? randomBytes(18).toString('base64url')
  const port = await chosenPort(terminal, options)
  const environment = openEnvironment(chosenSetup(terminal, options), {
    now: terminal.now,
    onRenewed: () =>
      writeNotice(
        terminal,
        'palimpsest: the file of the store was deleted or replaced while it was in use: a new one is used, with the sessions in memory',
      ),
  })
  const { config, location } = environment
  const named = { ...config.upstreams, ...Object.fromEntries(options.upstream.map(namedUpstream)) }
  const upstreams = upstreamsWith(named)
  const store = await openOrLater(terminal, environment)
  try {
    const loaded = await loadRecording(options.load, store, config)
    const requestLog = createRequestLog(terminal, options)
    const { gateway, dashboard } = await startServing({
      terminal,
      options,
      environment,
      store,
      upstreams,
      port,
      token,
      dashboardToken,
      requestLog,
    })
    // Handles signals before it prints that it listens, because a reader may stop it at once.
    const ending = stopped(gateway, terminal, () => dashboard.events.close())
    const stopCatching = catchUncaught(terminal, () => gateway.noteFault())
    const { url } = gateway
    const isPrivate = isTerminal(terminal.out)
    const parts = { url, token, dashboardToken, location, loaded, named, upstreams, isPrivate }
    await writeLines(terminal.out, options.json ? [servingJson(parts)] : servingLines(parts))
    await ending
    stopCatching()
    requestLog.end()
  } finally {
    await environment.close()
  }
}

/** The ids of the recorded sessions that were loaded. */
async function loadRecording(
  file: string | undefined,
  store: Store,
  config: Config,
): Promise<readonly string[]> {
  if (file === undefined) return []
  const { recordings } = await openRecording(file)
  for (const recording of recordings) await storeRecording(store, recording, config)
  return recordings.flatMap(({ session }) => session ?? [])
}

/** Agents must keep working while a disk is full or a server is down, so the gateway starts without its store. */
async function openOrLater(terminal: Terminal, { store, location }: Environment): Promise<Store> {
  try {
    return await store.open()
  } catch (error) {
    if (location.kind === 'memory' || !mayPass(error)) throw error
    writeNotice(
      terminal,
      `palimpsest: ${error.message}\npalimpsest: requests are sent unchanged until the store works`,
    )
    return laterStore(location.kind, () => store.open())
  }
}

/** A port that the user chose must be free; instead of the default port, the next free one is used. */
async function chosenPort(
  terminal: Terminal,
  { port: asked, host }: ServeOptions,
): Promise<number> {
  if (asked !== undefined) {
    const port = Number(asked)
    if (asked.trim() !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port
    throw new PalimpsestError('usage', `--port ${asked} is not a port: use 0 to 65535`)
  }
  const port = await nextFreePort(defaultPort, host)
  if (port === null)
    throw new PalimpsestError('usage', `the ports from ${defaultPort} on are taken: give a --port`)
  if (port !== defaultPort)
    writeNotice(terminal, `palimpsest: port ${defaultPort} is taken, so this gateway uses ${port}`)
  return port
}

function hostName(name: string): string {
  if (hostNamePattern.test(name)) return name
  throw new PalimpsestError(
    'usage',
    `--allow-host ${name} is not a host name: use one like host.docker.internal, with or without a port`,
  )
}

/** Resolves when the gateway was stopped by a signal. A second signal does not wait for open requests. */
function stopped(gateway: Gateway, terminal: Terminal, onStop: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let isStopping = false
    const stop = (): void => {
      const patienceMs = isStopping ? 0 : 30_000
      if (!isStopping) writeNotice(terminal, 'palimpsest: finishing open requests…')
      isStopping = true
      onStop()
      gateway.close(patienceMs).then(() => {
        process.off('SIGINT', stop).off('SIGTERM', stop)
        resolve()
      }, reject)
    }
    process.on('SIGINT', stop).on('SIGTERM', stop)
  })
}
