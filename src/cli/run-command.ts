import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Command, Option } from 'commander'
import { nearest } from '../config/nearest.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { namedUpstream } from '../gateway/index.ts'
import type { RunSetup } from '../setup/agent.ts'
import { agentOf, agents } from '../setup/agents.ts'
import { runAnyCommand } from '../setup/any-command.ts'
import { findProgram } from '../setup/find-program.ts'
import { createRerouting, type Rerouting } from '../setup/reroute.ts'
import { readRecord } from '../setup/setup-record.ts'
import { chosenSetup, type SetupOptions, withStoreOptions } from './chosen-store.ts'
import { runChild } from './run-child.ts'
import { startRunGateway } from './run-gateway.ts'
import { summaryLine, summaryOf } from './run-summary.ts'
import { type Terminal, writeNotice } from './terminal.ts'

interface RunOptions extends SetupOptions {
  readonly upstream: readonly string[]
  readonly mcp: boolean
  readonly quiet?: true
  readonly json?: true
}

export function runCommand(terminal: Terminal, finish: (code: number) => void): Command {
  return withStoreOptions(new Command('run'))
    .description('run an agent through its own gateway, and show what that saved')
    .argument('<agent>', `${agents.map(({ id }) => id).join(', ')}, or any command`)
    .argument('[arguments...]', "the agent's own arguments")
    .addOption(
      new Option(
        '--upstream <name=url>',
        'where requests go instead of the provider: anthropic, openai, gemini (may be repeated)',
      )
        .argParser((value: string, before: readonly string[]) => [...before, value])
        .default([], 'none'),
    )
    .option('--preset <name>', 'use the settings of this preset')
    .option('--schedule <name>', 'when decisions are applied')
    .option('--no-mcp', 'do not give the agent the tools for originals and memory')
    .option('--quiet', 'do not print what was saved at the end')
    .option('--json', 'print the last line as JSON, on standard error')
    .passThroughOptions()
    .addHelpText(
      'after',
      `
Everything applies to this run only: the agent gets its address by a variable, a flag or a temporary file, and no
configuration of yours is changed. If you have already set an address, the gateway forwards requests there. Options
of palimpsest go before the agent, the agent's own after it. The exit code is the agent's.

Examples:
  palimpsest run claude
  palimpsest run codex exec "fix the failing test"
  palimpsest run --preset compact opencode
  palimpsest run aider --model sonnet          any other command`,
    )
    .action(async (command: string, args: readonly string[], options: RunOptions) => {
      finish(await run(terminal, command, args, options))
    })
}

async function run(
  terminal: Terminal,
  command: string,
  args: readonly string[],
  options: RunOptions,
): Promise<number> {
  const { cwd, user } = terminal
  if (user === undefined) throw new PalimpsestError('usage', 'no home folder is known: set HOME')
  const { env, home } = user
  const agent = agentOf(command)
  const program = findProgram(command, env, cwd)
  if (program === null) {
    writeNotice(terminal, `palimpsest: there is no program ${command}: ${howToGet(command)}`)
    return 127
  }
  const setup = chosenSetup(terminal, options)
  const kept = readRecord(terminal.home)?.url ?? null
  const scratch = scratchFolder(terminal.home)
  const prepare = (url: string): RunSetup & Pick<Rerouting, 'upstreams'> => {
    const gateway = createRerouting(url, kept === null ? [] : [kept])
    const headers = { 'x-palimpsest-project': encodeURIComponent(cwd) }
    const mcp = options.mcp ? { url: `${url}/mcp`, headers } : null
    const request = { home, env, cwd, gateway, args, mcp, scratch }
    const prepared = agent === undefined ? runAnyCommand(request) : agent.run(request)
    return { ...prepared, upstreams: gateway.upstreams }
  }
  try {
    // The gateway must know where requests go before it has an address.
    const { upstreams: found } = prepare('http://127.0.0.1:0')
    const named = Object.fromEntries(options.upstream.map(namedUpstream))
    const upstreams = { ...setup.config.upstreams, ...found, ...named }
    const served = await startRunGateway({ terminal, setup, options, upstreams })
    const prepared = prepare(served.url)
    for (const { path: file, text } of prepared.files ?? [])
      writeFileSync(file, text, { mode: 0o600 })
    for (const line of prepared.notes ?? []) writeNotice(terminal, `palimpsest: ${line}`)
    const childEnv = { ...env, ...prepared.env }
    try {
      return await runChild({ program, args: prepared.args, env: childEnv, cwd })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === undefined) throw error
      // As a shell does for a program that is there and cannot be started.
      writeNotice(terminal, `palimpsest: ${program} cannot be started (${code}): ${reasonOf(code)}`)
      return 126
    } finally {
      const summary = await summaryOf(served.reports, served.store, setup.config.models)
      await served.close()
      if (!options.quiet) {
        const store = options.store === undefined ? '' : ` --store ${options.store}`
        const line = options.json ? JSON.stringify(summary) : summaryLine(summary, store)
        writeNotice(terminal, line)
      }
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function reasonOf(code: string): string {
  if (code === 'ENOENT') return 'the program named in its first line is missing'
  return code === 'EINVAL' && process.platform === 'win32'
    ? '.cmd files are not supported; start `palimpsest serve`, and the agent with its address'
    : 'start it without palimpsest to see why'
}

function howToGet(command: string): string {
  const agent = agentOf(command)
  if (agent !== undefined) return `install it: ${agent.install}`
  const ids = agents.map(({ id }) => id)
  const similar = nearest(command, ids, { closely: true })
  return similar === null ? 'check its name and your PATH' : `did you mean ${similar}?`
}

/**
 * A folder for the files of this run. Gemini CLI ignores settings below a folder that others can write to, such as /tmp, so
 * that it is in the user's own. What a killed run left there goes.
 */
function scratchFolder(home: string | undefined): string {
  try {
    if (home === undefined) throw new Error('no folder')
    mkdirSync(home, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(home)) {
      const owner = /^run-(\d+)-/.exec(name)?.[1]
      if (owner !== undefined && !isRunning(Number(owner)))
        rmSync(path.join(home, name), { recursive: true, force: true })
    }
    return mkdtempSync(path.join(home, `run-${process.pid}-`))
  } catch {
    return mkdtempSync(path.join(tmpdir(), 'palimpsest-run-'))
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
