import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { Command } from 'commander'
import { createEngineMaker } from '../config/engine-maker.ts'
import { unknownCaller } from '../mcp/caller.ts'
import type { McpParts } from '../mcp/parts.ts'
import { type Environment, openEnvironment } from '../session/environment.ts'
import { chosenSetup, type SetupOptions, useStore, withStoreOptions } from './chosen-store.ts'
import { type Terminal, writeNotice } from './terminal.ts'
import { version } from './version.ts'

interface McpOptions extends SetupOptions {
  readonly project?: string
  readonly session?: string
}

/** A client that started the server stands where it was started; over HTTP, each request says who asks. */
type Connection = 'standard streams' | 'http'

export function mcpCommand(terminal: Terminal, input: Readable = process.stdin): Command {
  return withStoreOptions(new Command('mcp'))
    .description('run an MCP server with memory and context tools on standard input and output')
    .option('--project <folder-or-name>', 'project to use; default: this folder')
    .option('--session <id>', 'session to use')
    .addHelpText(
      'after',
      `
Only the protocol is written to standard output; what goes wrong is said on standard error. Ends with its input.

Examples:
  claude mcp add palimpsest -- npx -y palimpsest mcp
  codex mcp add palimpsest -- npx -y palimpsest mcp
  opencode.json: {"mcp":{"palimpsest":{"type":"local","command":["npx","-y","palimpsest","mcp"]}}}`,
    )
    .action(async (options: McpOptions) => {
      // No other command has to wait until the protocol's code is loaded.
      const { serveStandardStreams } = await import('../mcp/standard-streams.ts')
      // Claude Code tells its servers which session they work for.
      const session = options.session ?? (process.env.CLAUDE_CODE_SESSION_ID || undefined)
      const setup = chosenSetup(terminal, options)
      // A client that starts it learns at once that it cannot work.
      if (setup.location.kind !== 'memory')
        await useStore(terminal, setup.location, async () => {}, { absent: 'make' })
      const environment = openEnvironment(setup, { now: terminal.now })
      const parts = mcpParts(terminal, environment, 'standard streams', { ...options, session })
      const serving = serveStandardStreams(parts, { input, output: terminal.out })
      const stop = (): void => void serving.close()
      process.once('SIGINT', stop).once('SIGTERM', stop)
      try {
        await serving.ended
      } finally {
        process.off('SIGINT', stop).off('SIGTERM', stop)
        await environment.close()
        // A terminal, or a client that was told to wait, may never end it.
        input.destroy()
      }
    })
}

/** Memory and store are opened when a tool first needs them, so a problem with them becomes the tool's answer. */
export function mcpParts(
  terminal: Terminal,
  { config, location, memory, store }: Environment,
  connection: Connection,
  options: Pick<SetupOptions, 'store'> & {
    readonly project?: string
    readonly session?: string | undefined
  } = {},
): McpParts {
  const { cwd } = terminal
  return {
    version,
    useMemory: (work) =>
      memory.use(async (opened) => {
        await opened.save()
        const result = await work(opened)
        await opened.save()
        return result
      }),
    useStore: (work) => store.use(work),
    maker: createEngineMaker(config),
    caller:
      connection === 'http'
        ? unknownCaller
        : { session: options.session ?? null, folder: cwd, project: options.project ?? cwd },
    unnamedSession: `mcp-${randomUUID()}`,
    home: terminal.home,
    storeArguments:
      location.kind === 'sqlite' && options.store !== undefined ? ['--store', location.path] : [],
    now: terminal.now,
    models: config.models ?? [],
    onFault: (fault) =>
      writeNotice(
        terminal,
        `palimpsest: ${fault instanceof Error ? fault.message : String(fault)}`,
      ),
  }
}
