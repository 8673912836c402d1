import { describe, expect } from 'vitest'
import { resolveSettings } from '../../src/config/resolve.ts'
import { lines, type ToldCall, tell } from '../engine/told-session.ts'
import { type Act, acted, bash, outputOf, perform, shapeOf } from './acted.ts'
import { hostedSession } from './hosted-session.ts'
import { row } from './statement.ts'

const history = { preset: 'history' } as const
const text = (length: number): string => 'all is well so far\n'.repeat(length).slice(0, length)
/** What is shown of a command that prints so much. */
const shownOf = async (output: string, given: object = {}): Promise<string> => {
  const { said } = await acted({ ...history, ...given }, [bash('npm test', { output })])
  return said[0] ?? ''
}
const filler = (count: number): readonly Act[] =>
  Array.from({ length: count }, (_, at) => ({ tool: 'lookup', input: { at } }))

describe('outputs in the smart tool history', () => {
  row('003-17', async () => {
    expect(await shownOf(text(999))).toContain(text(999))
    // However full the context is, and beside an output that is cut.
    const acts = [bash('make', { output: text(999) }), bash('npm test', { output: text(6000) })]
    expect(await shapeOf({ ...history, contextLimit: 1000 }, acts)).toBe('FH')
  })

  row('003-18', async () => {
    const output = text(6000)
    expect(await shownOf(output)).toContain(output)
    // Marked: it is cut when the context is 70 % full.
    const cut = await shownOf(output, { contextLimit: 2000 })
    expect(cut).toContain('... [truncated: 6,000 chars total')
    expect(await shownOf(text(900), { contextLimit: 2000 })).toContain(text(900))
  })

  row('003-19', async () => {
    const numbers = Array.from({ length: 9000 }, (_, at) => `${at}`).join(' ')
    const kept = (length: number): Promise<string> => shownOf(numbers.slice(0, length))
    expect(await kept(10_000)).toContain(numbers.slice(0, 10_000))
    const cut = await kept(10_001)
    expect(cut).toContain(numbers.slice(0, 2000))
    expect(cut).not.toContain(numbers.slice(0, 2100))
    expect(cut).toContain(numbers.slice(8001, 10_001))
    expect(cut).not.toContain(numbers.slice(7901, 10_001))
  })

  row('003-20', async () => {
    const output = text(45_231)
    const count = output.split('\n').length
    expect(await shownOf(output)).toContain(
      `\n\n... [truncated: 45,231 chars total, ${count.toLocaleString('en')} lines] ...`,
    )
  })

  row('003-23', async () => {
    const light: readonly Act[] = [
      bash('ls src'),
      { tool: 'focus', input: { path: 'a.ts' } },
      { tool: 'unfocus', input: {} },
    ]
    expect(await shapeOf(history, [...light, ...filler(26)])).toBe('F'.repeat(29))
    expect((await shapeOf(history, [...light, ...filler(30)])).slice(0, 4)).toBe('HHHF')
  })

  row('003-24', async () => {
    const large = lines(1, 300, 'found')
    const acts: readonly Act[] = [
      { tool: 'lookup', input: { n: 1 }, output: large },
      { tool: 'webfetch', input: { url: 'https://docs.test/' }, output: large },
      { tool: 'grep', input: { pattern: 'x' }, output: large },
      bash('make', { status: 'error' }),
      bash('ls'),
    ]
    expect((await shapeOf(history, [...acts, ...filler(31)])).slice(0, 5)).toBe('FFFFH')
  })

  row('003-25', async () => {
    const session = await hostedSession(history)
    const read = (filePath: string): Act => ({ tool: 'read', input: { filePath } })
    const acts = [
      read('a.ts'),
      read('b.ts'),
      bash('ls'),
      read('a.ts'),
      read('b.ts'),
      read('a.ts'),
      bash('make', { output: text(12_000) }),
    ]
    await perform(session, acts)
    const idsOf = (
      list: readonly { parts: readonly { callID?: unknown }[] }[],
    ): readonly unknown[] =>
      list.flatMap(({ parts }) => parts.flatMap(({ callID }) => callID ?? []))
    const request = await session.conversation.request()
    expect(idsOf(request)).toEqual(idsOf(session.conversation.stored))
    expect(JSON.stringify(request)).toContain('Re-read of')
    expect(JSON.stringify(request)).not.toContain(JSON.stringify(outputOf(3)).slice(1, -1))
  })

  row('003-27', async () => {
    const cutsAt = async (contextLimit: number, more: object = {}): Promise<boolean> => {
      const outputs = [1, 2, 3, 4].map((at) =>
        bash(`make ${at}`, { output: lines(1, 60, `made${at}`) }),
      )
      return (await shapeOf({ ...history, ...more, contextLimit }, outputs)).includes('H')
    }
    // Four outputs of about 1,000 tokens.
    const total = 4 * Math.round(lines(1, 60, 'made1').length / 4)
    expect(await cutsAt(Math.round(total / 0.6))).toBe(false)
    expect(await cutsAt(Math.round(total / 0.8))).toBe(true)
    expect(await cutsAt(Math.round(total / 0.8), { budgetShare: 0.95 })).toBe(false)
  })

  row('003-22', () => {
    const keys = { maxFileReads: 5, keepAllEdits: true, bashTruncate: 10_000 }
    expect(resolveSettings({ ...history, ...keys })).toEqual(resolveSettings(history))
    const call = (id: string, tool: string, input: object, output: string): readonly ToldCall[] => [
      { id, tool, input: { ...input }, output },
    ]
    const edits = [1, 2, 3, 4].map((n) =>
      call(
        `e${n}`,
        'edit',
        { filePath: 'b.ts', oldString: lines(n, n + 9), newString: `new ${n}` },
        'ok',
      ),
    )
    const turns = [
      ...[1, 2, 3, 4, 5, 6].map((n) => call(`r${n}`, 'read', { filePath: 'a.ts' }, lines(1, 20))),
      ...edits,
      call('b', 'bash', { command: 'make' }, text(6000)),
      ...Array.from({ length: 31 }, (_, n) => call(`o${n}`, 'lookup', { n }, `found ${n}`)),
    ]
    const pruned = (more: object): readonly string[] => {
      const { results, inputs } = tell(turns, resolveSettings({ ...history, ...more }))
      return [...new Set([...Object.keys(results), ...Object.keys(inputs)])]
    }
    expect(pruned(keys)).toEqual(['r2', 'r3', 'r5'])
    expect(pruned({ ...keys, maxFileReads: 2 })).toEqual(['r2', 'r3', 'r4', 'r5'])
    expect(pruned({ ...keys, keepAllEdits: false })).toContain('e1')
    expect(pruned({ ...keys, bashTruncate: 5000 })).toContain('b')
  })
})
