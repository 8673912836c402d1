import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  engineFor,
  messagesOf,
  only,
  type Told,
  type ToldTurn,
  tell,
} from '../../../../test/engine/told-session.ts'
import { createProtection } from '../../../config/protection.ts'

/** By the rules alone, so that no training changes what is expected here. */
const retention = { enabled: true, risk: 1, coefficients: null }
const forgetful = only({ retention, schedule: 'on-demand' })

const source = [
  "import { paint } from './paint.ts'",
  ...Array.from({ length: 12 }, (_, n) => [
    `export function step${n}Around(): void {`,
    ...Array.from({ length: 40 }, (__, line) => `  paint('side ${line}', ${n})`),
    '}',
  ]).flat(),
].join('\n')
const log = Array.from({ length: 90 }, (_, n) => `made object ${n} of the warehouse`).join('\n')

const read = (id: string, path: string, output = source): ToldTurn => [
  { id, tool: 'read', input: { filePath: path }, output },
]
const run = (id: string, command: string, output = 'ok'): ToldTurn => [
  { id, tool: 'bash', input: { command }, output },
]
const edit = (id: string, path: string): ToldTurn => [
  { id, tool: 'edit', input: { filePath: path, oldString: 'side 1', newString: id }, output: 'ok' },
]
const idle = (count: number): readonly ToldTurn[] =>
  Array.from({ length: count }, (_, n) => run(`idle${n}`, `run ${n}`))

/** What was sent changes when the agent calls its prune tool. */
const prune: ToldTurn = [{ id: 'p', tool: 'context_prune', input: {}, output: 'done' }]
const later = (count: number): readonly ToldTurn[] => [...idle(count), prune]

const shown = ({ engine }: Told, id: string): string | undefined => {
  const item = engine.record.items.find((each) => each.kind === 'result' && each.call === id)
  return item && (engine.ledger.of(item.index)?.rendition.text ?? undefined)
}

describe('retention', () => {
  it('shows an old file by its signatures, with the handle that brings it back', () => {
    const told = tell([read('a', '/p/fence.ts'), ...later(40)], forgetful)
    const text = shown(told, 'a') ?? ''
    const handle = told.decisions[0]?.handle
    expect(told.results).toEqual({ a: 'truncated output -' })
    expect(text.length).toBeLessThan(source.length * 0.6)
    expect(text).toContain('export function step3Around(): void {')
    expect(text).toContain(`context_restore ${handle}`)
    expect(text).not.toContain("paint('side 4', 3)")
  })

  it('keeps a result to which a later one points, so that the pointer stays true', () => {
    const pointing = only({
      retention,
      schedule: 'on-demand',
      deduplication: { enabled: true, mode: 'pointer', protectedTools: [] },
    })
    const twice = [run('a', 'make all', log), ...idle(2), run('b', 'make all', log), ...later(60)]
    const told = tell(twice, pointing)
    expect(told.results).toEqual({ b: 'pointer hash a' })
    expect(shown(tell([run('a', 'make all', log), ...later(60)], pointing), 'a')).toBeDefined()
  })

  it('leaves a result whole while it is young, and for ever when nothing may be risked', () => {
    expect(tell([read('a', '/p/fence.ts'), ...later(2)], forgetful).results).toEqual({})
    const careful = { ...forgetful, retention: { ...retention, risk: 0 } }
    expect(tell([read('a', '/p/fence.ts'), ...later(60)], careful).results).toEqual({})
  })

  it('does not touch a file that is being worked on', () => {
    const work = Array.from({ length: 40 }, (_, n) => edit(`e${n}`, '/p/fence.ts'))
    const turns = [read('a', '/p/fence.ts'), read('b', '/p/gate.ts'), ...work, prune]
    expect(tell(turns, forgetful).results).toEqual({ b: 'truncated output -' })
  })

  it('does not touch failures, protected files, and what somebody wanted back', () => {
    const failed: ToldTurn = [
      { id: 'f', tool: 'bash', input: { command: 'make' }, output: log, status: 'error' },
    ]
    expect(tell([failed, ...later(60)], forgetful).results).toEqual({})
    const settings = { ...forgetful, protectedFilePatterns: ['**/fence.ts'] }
    const protection = createProtection(settings)
    const turns = [read('a', '/p/fence.ts'), ...later(60)]
    expect(tell(turns, settings, { protection }).results).toEqual({})
    const engine = engineFor(forgetful)
    const told = tell(turns, forgetful, { engine })
    expect(engine.undo(told.decisions[0]?.handle ?? '')).toBe(true)
    engine.request(messagesOf([...turns, ...later(50)]))
    expect(engine.ledger.decided()).toEqual([])
  })

  it('cuts a digest of an old output further, to the names in it', () => {
    const both = { ...forgetful, admission: { enabled: true, wholeChars: 800 } }
    const letters = 'abcdefghijklmnopqrst'
    const lines = Array.from(
      { length: 300 },
      (_, n) => `copied src/part_${letters[n % 20]}${letters[Math.floor(n / 20)]}/module_file.ts`,
    )
    const turns = [run('a', 'make all', lines.join('\n'))]
    const first = shown(tell(turns, both), 'a') ?? ''
    const last = shown(tell([...turns, ...later(60)], both), 'a') ?? ''
    expect(first.length).toBeGreaterThan(0)
    expect(last.length).toBeGreaterThan(0)
    expect(last.length).toBeLessThan(first.length * 0.6)
    expect(last).toContain('module_file.ts')
  })

  it('lets go of more at an epoch, which writes again what follows', () => {
    const careful = only({ retention: { ...retention, risk: 0.2 }, schedule: 'on-demand' })
    const session = [run('a', 'make all', log), ...idle(12)]
    expect(tell(session, careful).engine.pending).toEqual([])
    expect(tell([...session, prune], careful).results).toEqual({ a: 'truncated output -' })
  })

  it('waits for an epoch with what was sent', () => {
    const told = tell([read('a', '/p/fence.ts'), ...idle(40)], forgetful)
    expect(told.results).toEqual({})
    expect(told.engine.pending.map(({ proposal }) => proposal.strategy)).toEqual(['retention'])
  })

  it('does nothing where everything is applied at once, whatever it costs', () => {
    const eager = only({ retention, schedule: 'eager' })
    expect(tell([read('a', '/p/fence.ts'), ...later(60)], eager).results).toEqual({})
  })

  it('gives the same, never longer and never empty, whatever was printed', () => {
    const words = fc.array(fc.constantFrom('def f():', '  x = 1', '{', '}', 'class A:', '', '€ø'), {
      minLength: 800,
      maxLength: 900,
    })
    fc.assert(
      fc.property(words, fc.boolean(), (lines, isRead) => {
        const output = lines.join('\n')
        const first = isRead ? read('a', '/p/a.py', output) : run('a', 'cat /p/a.py', output)
        const told = tell([first, ...later(30)], forgetful)
        expect(tell([first, ...later(30)], forgetful).decisions).toEqual(told.decisions)
        expect(told.decisions.length).toBeGreaterThan(0)
        for (const { rendition, handle } of told.decisions) {
          expect(rendition.text?.length).toBeGreaterThan(0)
          expect(rendition.text?.length).toBeLessThan(output.length)
          expect(rendition.text).toContain(handle)
        }
      }),
      { numRuns: 10 },
    )
  })
})
