import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const projectRoot = fileURLToPath(new URL('..', import.meta.url))

/** Where the agents live: one folder each, so that no version can see another's dependencies. */
export const agentsFolder = join(projectRoot, '.cache', 'agents')

const platform = `${process.platform}-${process.arch}`

/** The real agents that the end-to-end suites drive. `command` is relative to the agent's own folder. */
export const agents = [
  {
    name: 'claude-code-2.1.197',
    package: '@anthropic-ai/claude-code@2.1.197',
    command: 'node_modules/.bin/claude',
  },
  {
    name: 'claude-code-2.1.325',
    package: '@anthropic-ai/claude-code@2.1.325',
    command: 'node_modules/.bin/claude',
  },
  {
    name: 'codex-0.166.0',
    package: '@openai/codex@0.166.0',
    command: 'node_modules/.bin/codex',
  },
  {
    // The wrapper package only picks this one, and drags in a second build of the same size.
    name: 'opencode-1.18.33',
    package: `opencode-${platform}@1.18.33`,
    command: `node_modules/opencode-${platform}/bin/opencode`,
  },
  {
    name: 'pi-0.73.1',
    package: '@mariozechner/pi-coding-agent@0.73.1',
    command: 'node_modules/.bin/pi',
  },
]

/** The absolute path of an agent's command, or null when that agent is not installed at its pinned version. */
export function agentCommand(name) {
  const agent = agents.find((candidate) => candidate.name === name)
  if (agent === undefined) throw new Error(`no agent is called ${name}`)
  const command = join(agentsFolder, name, agent.command)
  return existsSync(command) && installedPackage(name) === agent.package ? command : null
}

/** The folder of the `rg` that comes with Codex, which other agents need on their PATH; null without Codex. */
export function ripgrepFolder() {
  const vendor = join(
    agentsFolder,
    'codex-0.166.0',
    'node_modules/@openai',
    `codex-${platform}`,
    'vendor',
  )
  if (!existsSync(vendor)) return null
  const folders = readdirSync(vendor).map((target) => join(vendor, target, 'codex-path'))
  return folders.find((folder) => existsSync(join(folder, 'rg'))) ?? null
}

/** The names of the agents that `installAgents` would install. */
export function missingAgents() {
  return agents.filter((agent) => agentCommand(agent.name) === null).map((agent) => agent.name)
}

/** Installs what is missing, one after the other; what is there stays as it is. */
export async function installAgents({ only, report = () => {} } = {}) {
  for (const agent of agents) {
    if (only !== undefined && !only.includes(agent.name)) continue
    if (agentCommand(agent.name) !== null) {
      report(`${agent.name}: there already`)
      continue
    }
    const startedAt = Date.now()
    await installAgent(agent)
    report(`${agent.name}: installed in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
  }
}

// Written last, so that an interrupted installation is not mistaken for a finished one.
const stampName = 'installed.json'

function installedPackage(name) {
  const stamp = join(agentsFolder, name, stampName)
  return existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')).package : null
}

async function installAgent(agent) {
  const folder = join(agentsFolder, agent.name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"private":true}\n')
  // The agents need their install scripts (they pick a native build), whatever this project's .npmrc says.
  await runNpm(folder, [
    'install',
    '--no-audit',
    '--no-fund',
    '--no-save',
    '--ignore-scripts=false',
    '--loglevel=error',
    agent.package,
  ])
  if (!existsSync(join(folder, agent.command))) {
    throw new Error(`${agent.package} was installed, but it has no ${agent.command}`)
  }
  await writeFile(join(folder, stampName), `${JSON.stringify({ package: agent.package })}\n`)
}

function runNpm(folder, args) {
  return new Promise((resolve, reject) => {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    const child = spawn(npm, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`npm ${args.at(-1)} in ${dirname(folder)} ended with code ${code}`))
    })
  })
}

const usage = `Installs the real coding agents that the end-to-end suites drive, at pinned versions, into .cache/agents.

  node scripts/agents.mjs                      install what is missing
  node scripts/agents.mjs --only pi-0.73.1     only this one (may be repeated)
  node scripts/agents.mjs --list               what there is, and whether it is installed
`

async function main(args) {
  if (args.includes('--help')) {
    process.stdout.write(usage)
    return
  }
  if (args.includes('--list')) {
    for (const agent of agents) {
      const state = agentCommand(agent.name) === null ? 'absent' : 'installed'
      process.stdout.write(`${agent.name}\t${agent.package}\t${state}\n`)
    }
    return
  }
  const only = args.flatMap((arg, index) => (args[index - 1] === '--only' ? [arg] : []))
  const unknown = only.filter((name) => !agents.some((agent) => agent.name === name))
  if (unknown.length > 0) {
    const known = agents.map((agent) => agent.name).join(', ')
    process.stderr.write(`no agent is called ${unknown.join(', ')}; there are ${known}\n`)
    process.exitCode = 2
    return
  }
  const report = (line) => process.stderr.write(`${line}\n`)
  await installAgents(only.length > 0 ? { only, report } : { report })
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(process.argv.slice(2))
}
