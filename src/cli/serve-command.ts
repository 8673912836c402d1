import { randomBytes } from 'node:crypto'
import { Command } from 'commander'
import { PalimpsestError } from '../core/errors.ts'
import { isLoopback } from '../gateway/access.ts'
import { paceCompiler } from '../gateway/compiler-pace.ts'
import { createHeapKeeper } from '../gateway/heap-keeper.ts'
import {
  type Gateway,
  namedUpstream,
  startGateway,
  storeRecording,
  upstreamsWith,
} from '../gateway/index.ts'
import { openStore } from '../store/index.ts'
import { chosenConfig, configOption } from './chosen-config.ts'
import { chosenLocation, storeOption } from './chosen-store.ts'
import { openMcpParts } from './mcp-command.ts'
import { openRecording } from './recording-files.ts'
import { writeRestoreLauncher } from './restore-launcher.ts'
import { servingLines } from './serving-lines.ts'
import { type Terminal, writeLines } from './terminal.ts'

interface ServeOptions {
  readonly port: string
  readonly host: string
  readonly store?: string
  readonly upstream: readonly string[]
  readonly token?: string
  readonly load?: string
  readonly preset?: string
  readonly schedule?: string
  readonly config?: string
}

const defaultPort = 8787

export function serveCommand(terminal: Terminal): Command {
  return new Command('serve')
    .description('the gateway: stands between agents and their providers, and prunes what is sent')
    .option('--port <number>', 'where it listens; 0 takes a free one', String(defaultPort))
    .option(
      '--host <address>',
      'another address than loopback; then a token is wanted',
      '127.0.0.1',
    )
    .option(...storeOption)
    .option(
      '--upstream <name=url>',
      'where requests go: anthropic, openai, gemini, or a name of your own (may be repeated)',
      (value: string, before: readonly string[]) => [...before, value],
      [] as readonly string[],
    )
    .option(
      '--token <token>',
      'for everything but the models; without it, one is made where needed',
    )
    .option('--load <recording>', 'put a recorded session into the store first')
    .option('--preset <name>', 'take the settings of this preset')
    .option('--schedule <name>', 'when decisions are applied')
    .option(...configOption)
    .addHelpText(
      'after',
      `
Requests pass with their own credentials, which are neither stored nor logged. \`x-palimpsest: off\` as a request
header, or /off before the path, sends a request as it is. Ends with 0 on SIGINT and SIGTERM, once answers are over.

Examples:
  palimpsest serve
  palimpsest serve --port 9000 --store postgres://gateway@db/palimpsest
  palimpsest serve --upstream openai=http://127.0.0.1:11434/v1
  palimpsest serve --upstream deepseek=https://api.deepseek.com     # at /deepseek/…`,
    )
    .action((options: ServeOptions) => serve(terminal, options))
}

async function serve(terminal: Terminal, options: ServeOptions): Promise<void> {
  const port = Number(options.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new PalimpsestError('usage', `--port ${options.port} is no port: give 0 to 65535`)
  paceCompiler()
  const { host } = options
  const config = chosenConfig(terminal, options)
  const named = { ...config.upstreams, ...Object.fromEntries(options.upstream.map(namedUpstream)) }
  const upstreams = upstreamsWith(named)
  const token = options.token ?? (isLoopback(host) ? null : randomBytes(18).toString('base64url'))
  const location = chosenLocation(terminal, options.store)
  const store = await openStore(location)
  const mcp = openMcpParts(terminal, options)
  try {
    const loaded: string[] = []
    if (options.load !== undefined) {
      const { recordings } = await openRecording(options.load)
      for (const recording of recordings) {
        await storeRecording(store, recording, config)
        if (recording.session !== null) loaded.push(recording.session)
      }
    }
    const { mcpRoute } = await import('../mcp/index.ts')
    const gateway = await listening(
      startGateway({
        ownRoutes: [mcpRoute(mcp.parts)],
        memory: { use: mcp.useMemory },
        store,
        config,
        upstreams,
        host,
        port,
        token,
        heap: createHeapKeeper(),
        restoreCommand: writeRestoreLauncher({
          terminal,
          location,
          isConfigured: options.store === undefined && options.config === undefined,
        }),
        onFault: (reason, fault) => terminal.err.write(`${faultLine(reason, fault)}\n`),
      }),
      port,
    )
    // Whoever reads that it listens may stop it at once.
    const ending = stopped(gateway, terminal)
    const { url } = gateway
    await writeLines(terminal.out, servingLines({ url, token, location, loaded, named, upstreams }))
    await ending
  } finally {
    await mcp.close()
    await store.close()
  }
}

async function listening(starting: Promise<Gateway>, port: number): Promise<Gateway> {
  try {
    return await starting
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'EADDRNOTAVAIL') throw cause
    throw new PalimpsestError(
      'usage',
      `cannot listen on port ${port} (${code}): give another --port`,
      {
        cause,
      },
    )
  }
}

function faultLine(reason: string, fault: unknown): string {
  const message = fault instanceof Error ? fault.message : ''
  return `palimpsest: passed by: ${reason}${message === '' ? '' : ` (${message})`}`
}

/** Resolves when a signal has ended it; a second signal does not wait for answers. */
function stopped(gateway: Gateway, terminal: Terminal): Promise<void> {
  return new Promise((resolve, reject) => {
    let isStopping = false
    const stop = (): void => {
      const patienceMs = isStopping ? 0 : 30_000
      if (!isStopping) terminal.err.write('palimpsest: answers under way come to their end\n')
      isStopping = true
      gateway.close(patienceMs).then(() => {
        process.off('SIGINT', stop).off('SIGTERM', stop)
        resolve()
      }, reject)
    }
    process.on('SIGINT', stop).on('SIGTERM', stop)
  })
}
