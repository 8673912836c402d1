import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { installRuntimes, runtimePath, runtimes } from './runtimes.mjs'

const projectRoot = fileURLToPath(new URL('..', import.meta.url))

/** Each agent has its own folder, so that versions do not share dependencies. */
export const agentsFolder = join(projectRoot, '.cache', 'agents')

const platform = `${process.platform}-${process.arch}`

/**
 * The real agents that the end-to-end suites drive. `command` is relative to the agent's own folder. CI drives the
 * newest of each client; `npm test -- --all` drives all of them.
 */
export const agents = [
  claudeCode('2.1.197'),
  claudeCode('2.1.325'),
  { ...claudeCode('2.1.326'), newest: true },
  codex('0.166.0'),
  { ...codex('0.169.0'), newest: true },
  openCode('1.18.33'),
  { ...openCode('1.18.34'), newest: true },
  agent('pi', '0.73.1', '@mariozechner/pi-coding-agent', 'pi'),
  {
    ...agent('pi', '0.87.1', '@earendil-works/pi-coding-agent', 'pi'),
    runtime: 'node-22',
    newest: true,
  },
  { ...agent('gemini-cli', '0.61.0', '@google/gemini-cli', 'gemini'), newest: true },
  { ...agent('copilot-cli', '1.0.102', '@github/copilot', 'copilot'), newest: true },
  { ...agent('qwen-code', '0.24.4', '@qwen-code/qwen-code', 'qwen'), newest: true },
  { ...agent('continue', '1.5.47', '@continuedev/cli', 'cn'), newest: true },
  // 440 MB, so that CI leaves it out.
  agent('cline', '3.0.65', 'cline', 'cline'),
]

function claudeCode(version) {
  return agent('claude-code', version, '@anthropic-ai/claude-code', 'claude')
}

function codex(version) {
  return agent('codex', version, '@openai/codex', 'codex')
}

/** The platform's own package. The wrapper package would also install a second build of the same size. */
function openCode(version) {
  const build = `opencode-${platform}`
  return { ...agent('opencode', version, build), command: `node_modules/${build}/bin/opencode` }
}

function agent(client, version, packageName, program) {
  return {
    name: `${client}-${version}`,
    client,
    version,
    package: `${packageName}@${version}`,
    command: `node_modules/.bin/${program}`,
    newest: false,
  }
}

/** The newest version of a client that has a test suite; clients that CI leaves out have one version. */
export function newestVersion(client) {
  const versions = agents.filter((candidate) => candidate.client === client)
  const newest = versions.find((candidate) => candidate.newest) ?? versions[0]
  if (newest === undefined) throw new Error(`there is no agent for the client '${client}'`)
  return newest.version
}

/** The absolute path of an agent's command, or null when that agent is not installed at its pinned version. */
export function agentCommand(name) {
  const agent = agents.find((candidate) => candidate.name === name)
  if (agent === undefined) throw new Error(`there is no agent '${name}'`)
  const command = join(agentsFolder, name, agent.runtime === undefined ? agent.command : launcher)
  return existsSync(command) && installedPackage(name) === agent.package ? command : null
}

/** The folder of the `rg` that comes with Codex, which other agents need on their PATH; null without Codex. */
export function ripgrepFolder() {
  const vendor = join(
    agentsFolder,
    `codex-${newestVersion('codex')}`,
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

/** Installs missing agents, one after the other. */
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
  // The agents need their install scripts, which choose a native build, even if this project's .npmrc disables them.
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
    throw new Error(`${agent.package} was installed, but ${agent.command} is missing`)
  }
  if (agent.runtime !== undefined) await writeLauncher(folder, agent)
  await writeFile(join(folder, stampName), `${JSON.stringify({ package: agent.package })}\n`)
}

/** Starts an agent that needs another runtime than its caller's Node.js. */
const launcher = 'launch'

async function writeLauncher(folder, agent) {
  installRuntimes([agent.runtime])
  const runtime = runtimes.find(({ name }) => name === agent.runtime)
  const lines = [
    '#!/bin/sh',
    `exec '${runtimePath(runtime)}' '${join(folder, agent.command)}' "$@"`,
  ]
  await writeFile(join(folder, launcher), `${lines.join('\n')}\n`, { mode: 0o755 })
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
    process.stderr.write(`there is no agent '${unknown.join("', '")}'. Use one of: ${known}\n`)
    process.exitCode = 2
    return
  }
  const report = (line) => process.stderr.write(`${line}\n`)
  await installAgents(only.length > 0 ? { only, report } : { report })
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(process.argv.slice(2))
}
