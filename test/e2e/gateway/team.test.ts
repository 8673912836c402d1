import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentCommand, newestVersion } from '../../../scripts/agents.mjs'
import { nginxPath } from '../../../scripts/nginx.mjs'
import { postgresFolder } from '../../../scripts/postgres.mjs'
import { bundledCommand, bundledProgram } from '../../bundled-program.ts'
import { claudeCode } from '../claude-code.ts'
import type { Client } from '../client.ts'
import { codex } from '../codex.ts'
import { isShortRun, programs } from '../installed-client.ts'
import { findIsolation } from '../isolation.ts'
import { openCode } from '../opencode.ts'
import { cleanEnvironment } from '../session.ts'
import { longClosing, longResult, storyOf } from './long-scenario.ts'
import type { Exchange, PlannedClient, TeamPlan, TeamReport } from './team-plan.ts'

const clients: readonly Client[] = [
  claudeCode(newestVersion('claude-code')),
  codex(newestVersion('codex')),
  openCode(newestVersion('opencode'), 'anthropic'),
]
const needs = '[npm test -- --all installs PostgreSQL, nginx and the agents]'
const canRun =
  postgresFolder() !== null &&
  nginxPath() !== null &&
  clients.every(({ agent }) => agentCommand(agent) !== null)

/** Killed often enough that requests are on their way through the killed gateway. */
const { turns, killEvery } = isShortRun ? { turns: 14, killEvery: 9 } : { turns: 50, killEvery: 11 }
const story = storyOf(turns)

describe.skipIf(!canRun)(`real agents through three gateways behind nginx ${needs}`, () => {
  let scratch: string
  let report: TeamReport
  const projectOf = (client: Client): string => path.join(scratch, client.agent, 'project')

  beforeAll(async () => {
    scratch = mkdtempSync(path.join(tmpdir(), 'palimpsest team of agents-'))
    const home = path.join(scratch, 'our own')
    mkdirSync(home)
    const plan: TeamPlan = {
      clients: clients.map(planned),
      palimpsest: await bundledCommand(),
      home,
      killEvery,
      stopDatabaseAfter: Math.ceil(turns / 2),
      timeoutMs: 200_000,
      report: path.join(scratch, 'report.json'),
    }
    const file = path.join(scratch, 'plan.json')
    writeFileSync(file, JSON.stringify(plan))
    await run([
      process.execPath,
      await bundledProgram('test', 'e2e', 'gateway', 'drive-team.ts'),
      file,
    ])
    report = JSON.parse(readFileSync(plan.report, 'utf8'))
  }, 300_000)
  afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }))

  function planned(client: Client): PlannedClient {
    const project = projectOf(client)
    const home = path.join(scratch, client.agent, 'home')
    mkdirSync(home, { recursive: true })
    for (const { path: each, text } of story.project(project)) {
      mkdirSync(path.dirname(each), { recursive: true })
      writeFileSync(each, text)
    }
    // Codex works only where a repository is.
    spawnSync('git', ['init', '-q'], { cwd: project })
    const command = agentCommand(client.agent) ?? ''
    const { files, environment, args } = client.setUp({ command, home, project }, story.prompt)
    return {
      name: client.agent,
      scenario: story.scenario(project),
      folder: project,
      files,
      environment: { ...cleanEnvironment(home, programs), ...environment },
      step: { command, args, output: path.join(scratch, client.agent, 'output') },
    }
  }

  it('end their work, whatever is killed', () => {
    expect(report.kills).toBeGreaterThan(2)
    expect(report.databaseStops).toBe(1)
    for (const [at, client] of clients.entries()) {
      expect([client.name, report.clients[at]?.result.code]).toEqual([client.name, 0])
      const output = readFileSync(path.join(scratch, client.agent, 'output'), 'utf8')
      expect(output).toContain(longClosing)
      for (const [file, text] of longResult(projectOf(client), turns))
        expect(readFileSync(file, 'utf8')).toBe(text)
    }
  })

  it('get the bytes of a gateway that is left alone, until the database is away', () => {
    const shorter: string[] = []
    for (const [at, { name }] of clients.entries()) {
      const { requests = [] } = report.clients[at] ?? {}
      const away = requests.findIndex(({ answer }) => metStoreFault(answer))
      const before = away === -1 ? requests : requests.slice(0, away)
      const compared = before.filter(({ alone, arrived }) => alone !== null && arrived !== null)
      expect(compared.length).toBeGreaterThan(turns / 3)
      for (const [step, { arrived, alone }] of compared.entries())
        expect(`${name} ${step}: ${arrived}`).toBe(`${name} ${step}: ${alone}`)
      if (compared.some(({ arrived, body }) => (arrived ?? '').length < body.length))
        shorter.push(name)
    }
    // Codex prints files by a shell, and the database is away before anything of it is replaced.
    expect(shorter.length).toBeGreaterThanOrEqual(2)
  })

  it('send what nobody answered again, in the same bytes', () => {
    for (const { requests } of report.clients) {
      for (const [at, { answer, arrived, body, inOutage }] of requests.entries()) {
        if (answer?.status === 200 || arrived === null || inOutage) continue
        const again = requests
          .slice(at + 1)
          .find((each) => each.body === body && each.arrived !== null)
        if (again !== undefined && !metStoreFault(again.answer)) expect(again.arrived).toBe(arrived)
      }
    }
  })

  it('go on while the database is away, and lose nothing that was stored', () => {
    const all = report.clients.flatMap(({ requests }) => requests)
    expect(all.filter(({ answer }) => metStoreFault(answer)).length).toBeGreaterThan(0)
    for (const { answer, arrived, body } of all.filter((each) => isBypassed(each.answer))) {
      expect(answer?.receipt).toMatch(/reason=store-/)
      expect(arrived).toBe(body)
    }
    expect(report.problems).toEqual([])
    expect(report.lost).toEqual([])
  })
})

/** What was sent without the database depends on what the gateway had in memory. */
function metStoreFault(answer: Exchange['answer'] | undefined): boolean {
  return /(?:reason|unsaved)=store-/.test(answer?.receipt ?? '')
}

function isBypassed(answer: Exchange['answer'] | undefined): boolean {
  return answer?.receipt.startsWith('bypass') === true
}

function run(command: readonly string[]): Promise<void> {
  const [program = '', ...args] = findIsolation().wrap(command)
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    child.on('error', reject)
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`the driver ended with code ${code}`)),
    )
  })
}
