import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { agentCommand, newestVersion } from '../../scripts/agents.mjs'
import { type Serving, serve } from '../gateway/serving.ts'
import { projectRoot } from '../model/project-root.ts'
import { createUser, type Ended } from '../setup/own-command.ts'

/** What a reader has who follows the documentation: a project, recordings, a stored session, and a gateway that runs. */
export interface DocumentedWorld {
  /** Runs a line of a page in a shell; a person at the terminal answers yes. */
  run(line: string): Promise<Ended>
  stop(): Promise<void>
}

export async function createDocumentedWorld(): Promise<DocumentedWorld> {
  const user = createUser()
  // The built command, because reports need the dashboard's pages; or that of an installed package.
  const command =
    process.env.PALIMPSEST_TESTED_COMMAND ?? path.join(projectRoot, 'dist/cli/main.js')
  user.program('palimpsest', `exec '${process.execPath}' '${command}' "$@"`)
  // `run` starts whatever is called so; test/e2e/setup drives the real agents.
  user.program('claude', 'test -n "$ANTHROPIC_BASE_URL"')
  for (const client of ['claude-code', 'codex']) {
    const installed = agentCommand(`${client}-${newestVersion(client)}`)
    if (installed !== null) user.program(`real-${client}`, `exec '${installed}' "$@"`)
  }
  const project = path.join(user.home, 'a project')
  const sample = path.join(projectRoot, 'examples/sample-session.json')
  for (const folder of ['recordings', '../work/api', '../.claude/projects'])
    mkdirSync(path.join(project, folder), { recursive: true })
  for (const copy of ['session.jsonl', 'recordings/one.json', '../.claude/projects/one.jsonl'])
    copyFileSync(sample, path.join(project, copy))
  writeFileSync(path.join(project, 'CLAUDE.md'), '# Rules\n\n- Always use tabs.\n')
  for (const folder of [project, path.join(user.home, 'work/api')])
    writeFileSync(path.join(folder, 'palimpsest.jsonc'), '{ "memory": { "inject": true } }\n')

  const home = path.join(user.home, '.config/palimpsest')
  mkdirSync(home, { recursive: true })
  const env: Record<string, string | undefined> = {
    ...process.env,
    PATH: `${user.bin}${path.delimiter}${path.dirname(process.execPath)}${path.delimiter}/usr/bin:/bin`,
    HOME: user.home,
    PALIMPSEST_HOME: home,
    DISABLE_AUTOUPDATER: '1',
  }
  const shell = (line: string): string =>
    execFileSync('bash', ['-c', line], { cwd: project, env, encoding: 'utf8' })

  const gateway: Serving = await serve({ command, home, args: ['--load', sample] })
  env.TOKEN = /token=([\w-]+)/.exec(gateway.output + gateway.errors)?.[1] ?? ''
  const [session] = JSON.parse(shell('palimpsest sessions --json')) as { id: string }[]
  const shown = JSON.parse(shell('palimpsest show --json')) as { leftOut: { handle: string }[] }
  const replayed = shell('palimpsest replay session.jsonl --trace')
  const recorded = /"handle":"(\w+)"/.exec(replayed)?.[1] ?? ''

  /** The names that the pages use, with what this world has in their place. */
  function real(line: string): string {
    const handle = line.includes('session.jsonl') ? recorded : shown.leftOut[0]?.handle
    const preference = (): string => {
      const items = JSON.parse(shell('palimpsest memory list --json')) as { id: string }[]
      return items.at(-1)!.id
    }
    // The pages after `store encrypt` read the usual store without a key, so that it has another one.
    return line
      .replace('a1b2c3', handle ?? 'none')
      .replace('0f5c2b1e', session?.id ?? 'none')
      .replace(/preference_1a2b3c/, preference)
      .replace(/\b1a2b3c\b/, () => preference().replace(/^.*_/, ''))
      .replace('src/app.ts', '/home/dev/tally/src/money.js')
      .replace('http://127.0.0.1:8787', gateway.url)
      .replace(/postgres:\S+/, "'another store.db'")
      .replace('store encrypt', "store encrypt --store 'another store.db'")
      .replace(
        /^(claude|codex)(?= mcp add)/,
        (name) => `real-${name.replace('claude', 'claude-code')}`,
      )
  }

  /** Runs a line in a terminal, because commands that ask refuse to go on without one. */
  function run(line: string): Promise<Ended> {
    const isAgent = line.startsWith('real-')
    const child = spawn('script', ['-qec', `stty cols 80 rows 24; ${line}`, '/dev/null'], {
      cwd: project,
      // An agent that was told of a server before refuses to be told again.
      env: isAgent ? { ...env, HOME: mkdtempSync(path.join(user.home, 'agent ')) } : env,
    })
    child.stdin.on('error', () => {})
    // Chooses, says yes and confirms, whichever a question wants.
    const answering = setInterval(() => child.stdin.write(' y\r'), 400)
    let [out, err] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text
    })
    return new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => {
        clearInterval(answering)
        resolve({ code, out, err })
      })
    })
  }

  return {
    run: (line) => run(real(line)),
    async stop() {
      await gateway.end('SIGTERM')
      user.remove()
    },
  }
}
