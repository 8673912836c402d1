import { afterAll, beforeAll, expect, it } from 'vitest'
import { newestVersion } from '../../../scripts/agents.mjs'
import { arrayOf, objectOf, parseJson } from '../../../src/core/words/json.ts'
import type { ModelTurn } from '../../model/scenario.ts'
import { claudeCode } from '../claude-code.ts'
import { describeClient } from '../installed-client.ts'
import type { SetupResult } from './setup-plan.ts'
import { type Commands, goThroughSetup, type SetupSession, type Way } from './setup-session.ts'

const client = claudeCode(newestVersion('claude-code'))
const settings =
  '{\n\t"hooks": {\n\t\t"PostToolUse": [ { "matcher": "Write", "hooks": [] } ]\n\t}\n}\n'
const log =
  'seq -f "row %g of the report is fine" 1 500; echo "row 17 FAILED"; seq -f "row %g" 1 500'

/** A large output, a small one, one that the agent itself puts into a file, and the original of the first. */
function way({ own, inShell, agent }: Commands): Way {
  const bash = (command: string): ModelTurn => ({ operations: [{ kind: 'bash', command }] })
  const steps = [
    { name: 'before', command: ['true'], isPictured: true },
    { name: 'init', command: own('init', '--hooks', '--yes'), isPictured: true },
    { name: 'session', command: inShell(...agent) },
    { name: 'doctor', command: own('doctor', '--json') },
    { name: 'show', command: own('show', '--json') },
    { name: 'undo', command: own('init', '--undo', '--yes'), isPictured: true },
  ] as const
  const turns = [
    bash(log),
    bash('seq 1 20'),
    bash('seq 1 30000'),
    { operations: [{ kind: 'restore' }] },
    { text: 'All of it was seen.' },
  ] as const
  return { steps, turns }
}

describeClient(client, `the hook of ${client.name}`, (command) => {
  let session: SetupSession
  const step = (name: string): SetupResult => session.results.get(name)!

  /** What the model saw of each call, in the last request. */
  function results(): readonly string[] {
    const { messages } = objectOf(parseJson(session.requests.at(-1)?.body ?? ''))
    const blocks = arrayOf(messages).flatMap((message) => arrayOf(objectOf(message).content))
    return blocks.flatMap((block) => {
      const { type, content } = objectOf(block)
      if (type !== 'tool_result') return []
      return typeof content === 'string' ? [content] : [JSON.stringify(content)]
    })
  }

  beforeAll(async () => {
    const files = (home: string) => [{ path: `${home}/.claude/settings.json`, text: settings }]
    session = await goThroughSetup({ id: 'claude', client, files }, command, way)
  }, 200_000)
  afterAll(() => session?.remove())

  it('gives the model a digest of a large output, and the original to who asks for it', () => {
    expect(step('session')).toMatchObject({ code: 0 })
    const [digest = '', small, , original = ''] = results()
    expect(digest.length).toBeLessThan(2_000)
    expect(digest).toContain('row 17 FAILED')
    expect(digest).toMatch(/palimpsest\/restore' [0-9a-f]{6}\]/)
    expect(small).toBe(Array.from({ length: 20 }, (_, at) => at + 1).join('\n'))
    expect(original).toContain('row 250 of the report is fine')
    expect(original.split('\n').length).toBeGreaterThanOrEqual(1_001)
  })

  it('leaves alone what the agent has put into a file', () => {
    expect(results()[2]).toContain('<persisted-output>')
  })

  it('is seen by doctor, and needs no gateway', () => {
    const { ok, findings } = JSON.parse(step('doctor').out) as {
      ok: boolean
      findings: readonly { check: string; text: string }[]
    }
    expect(ok).toBe(true)
    expect(findings.find(({ check }) => check === 'hooks')?.text).toMatch(
      /last large output (?:just now|.* ago)/,
    )
    expect(step('show').out).toMatch(/hook-/)
  })

  it('is taken out to the byte', () => {
    const file = '.claude/settings.json'
    expect(step('init').picture?.[file]).toContain('main')
    expect(step('undo').picture?.[file]).toBe(settings)
  })
})
