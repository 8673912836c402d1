import { describe, expect } from 'vitest'
import { lines } from '../engine/told-session.ts'
import { type Act, acted, bash, outputOf, perform, read, shapeOf } from './acted.ts'
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

  row('003-22', async () => {
    const keys = { maxFileReads: 5, keepAllEdits: true, bashTruncate: 10_000 }
    const edits = [1, 2, 3, 4].map((n): Act => {
      const input = { filePath: 'b.ts', oldString: lines(n, n + 9), newString: `new ${n}` }
      return { tool: 'edit', input, output: 'ok' }
    })
    const acts: readonly Act[] = [
      ...[1, 2, 3, 4, 5, 6].map(() => read('a.ts', { output: lines(1, 20) })),
      ...edits,
      bash('make', { output: text(6000) }),
      ...filler(31),
    ]
    /** What is shown of the reads, of the diffs and of the output. */
    const shownUnder = async (more: object): Promise<readonly string[]> => {
      const { shape, said } = await acted({ ...history, ...more }, acts)
      const diffs = said.filter((each) => each.includes('"oldString"')).length
      expect(shape.slice(11)).toBe('F'.repeat(31))
      return [shape.slice(0, 6), `${diffs} diffs`, shape.slice(10, 11)]
    }
    const documented = ['FHHFHF', '4 diffs', 'F']
    expect(await shownUnder({})).toEqual(documented)
    expect(await shownUnder(keys)).toEqual(documented)
    expect(await shownUnder({ ...keys, maxFileReads: 2 })).toEqual(['FHHHHF', '4 diffs', 'F'])
    expect(await shownUnder({ ...keys, keepAllEdits: false })).toEqual(['FHHFHF', '0 diffs', 'F'])
    expect(await shownUnder({ ...keys, bashTruncate: 5000 })).toEqual(['FHHFHF', '4 diffs', 'H'])
  })
})
