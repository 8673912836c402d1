import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { Command } from 'commander'
import { createEngineMaker } from '../config/engine-maker.ts'
import { errorMessage } from '../core/words/errors.ts'
import { unknownCaller } from '../mcp/caller.ts'
import type { McpParts } from '../mcp/parts.ts'
import { type Environment, openEnvironment } from '../session/environment.ts'
import { chosenSetup, type SetupOptions, useStore, withStoreOptions } from './chosen-store.ts'
import { withSaved } from './memory-open.ts'
import { ownerOf, seenStore } from './own-token.ts'
import { type Terminal, writeNotice } from './terminal.ts'
import { version } from './version.ts'

interface McpOptions extends SetupOptions {
  readonly project?: string
  readonly session?: string
}

/** On standard streams the client works in the folder of this process; over HTTP each request names its caller. */
type Connection = 'standard streams' | 'http'

export function mcpCommand(terminal: Terminal, input: Readable = process.stdin): Command {
  return withStoreOptions(new Command('mcp'))
    .description('run an MCP server with memory and context tools on standard input and output')
    .option('--project <folder-or-name>', 'project to use; default: this folder')
    .option('--session <id>', 'session to use')
    .addHelpText(
      'after',
      `
Writes only the protocol to standard output, and problems to standard error. Ends when its input ends.

Examples:
  claude mcp add palimpsest -- npx -y palimpsest mcp
  codex mcp add palimpsest -- npx -y palimpsest mcp
  opencode.json: {"mcp":{"palimpsest":{"type":"local","command":["npx","-y","palimpsest","mcp"]}}}`,
    )
    .action(async (options: McpOptions) => {
      // Loaded here, so that other commands start faster.
      const { serveStandardStreams } = await import('../mcp/standard-streams.ts')
      // Claude Code sets this variable for the servers that it starts.
      const session = options.session ?? (process.env.CLAUDE_CODE_SESSION_ID || undefined)
      const setup = chosenSetup(terminal, options)
      // Fails at the start, not at the first tool call, when the store cannot be opened.
      if (setup.location.kind !== 'memory')
        await useStore(terminal, setup.location, async () => {}, { absent: 'make' })
      const environment = openEnvironment(setup, { now: terminal.now })
      const whole = mcpParts(terminal, environment, 'standard streams', { ...options, session })
      const parts = ownParts(whole, environment, terminal.now)
      const serving = serveStandardStreams(parts, { input, output: terminal.out })
      const stop = (): void => void serving.close()
      process.once('SIGINT', stop).once('SIGTERM', stop)
      try {
        await serving.ended
      } finally {
        process.off('SIGINT', stop).off('SIGTERM', stop)
        await environment.close()
        // A terminal or a client may keep the input open for ever.
        input.destroy()
      }
    })
}

/** With the sessions and the memory of the user who started this process. */
function ownParts(parts: McpParts, { store }: Environment, now: () => number): McpParts {
  return {
    ...parts,
    useStore: (work) => store.use(async (opened) => work(await seenStore(opened, now()))),
    useMemory: async (work) =>
      parts.useMemory(work, await store.use((opened) => ownerOf(opened, now()))),
  }
}

/** Memory and store are opened when a tool first needs them, so a problem with them becomes the tool's answer. */
export function mcpParts(
  terminal: Terminal,
  { config, location, memoryOf, store }: Environment,
  connection: Connection,
  options: Pick<SetupOptions, 'store'> & {
    readonly project?: string
    readonly session?: string | undefined
  } = {},
): McpParts {
  const { cwd } = terminal
  return {
    version,
    useMemory: (work, owner = null) => withSaved(memoryOf(owner), work),
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
    onFault: (fault) => writeNotice(terminal, `palimpsest: ${errorMessage(fault)}`),
  }
}
