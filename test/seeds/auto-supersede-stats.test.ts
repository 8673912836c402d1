import { describe, expect } from 'vitest'
import { type Act, acted, bash, read, todowrite, write } from './acted.ts'
import { memoised } from './memoised.ts'
import { recordedSession } from './recorded.ts'
import { row } from './statement.ts'

const acp = { preset: 'acp' }
const lookup = (name: string): Act => ({ tool: 'lookup', input: { name } })
/** As many prunes of each kind as the document's example has. */
const hash = ['a', 'b', 'c', 'd', 'e'].flatMap((name) => [lookup(name), lookup(name)])
const file = ['f', 'g', 'h', 'i'].flatMap((name) => [read(`/src/${name}`), write(`/src/${name}`)])
const todo = ['One', 'Two', 'Three', 'Four'].map((content) => todowrite(content))
const example = [...hash, ...file, ...todo]

describe('the statistics of auto-supersede', () => {
  const onCommandLine = recordedSession(example)
  const stats = memoised(async () => {
    const { session } = await acted(acp, example)
    return (await session.command('stats')).split('\n')
  })
  const line = async (start: string): Promise<string> =>
    (await stats()).find((each) => each.startsWith(start)) ?? ''

  row('000-49', async () => {
    const { out } = await onCommandLine('stats', '--preset', 'acp', '--json')
    const { autoSupersede } = JSON.parse(out).strategyStats
    expect(autoSupersede).toMatchObject({
      hash: { count: 5, tokens: expect.any(Number) },
      file: { count: 4, tokens: expect.any(Number) },
      todo: { count: 3, tokens: expect.any(Number) },
    })
    for (const kind of ['hash', 'file', 'todo'])
      expect(autoSupersede[kind].tokens).toBeGreaterThan(100)
  })

  const tokensIn = (text: string): number => {
    const [, count, thousands] = /~([\d.]+)(k?)/.exec(text) ?? []
    return Number(count) * (thousands === 'k' ? 1000 : 1)
  }
  const sumOf = (lines: readonly string[]): number =>
    lines.reduce((sum, each) => sum + tokensIn(each), 0)

  row('000-50', async () => {
    const [title, , ...lines] = (await stats()).slice(1, -1)
    expect(title).toBe('Strategy Effectiveness:')
    // The same words for this conversation and for all, and nothing else beside them.
    const end = lines.indexOf('')
    const [allTime = '', ...ofAll] = lines.slice(end + 1)
    expect(ofAll).toEqual(lines.slice(0, end))
    expect(allTime).toMatch(/^All time: 1 conversations, \d+ requests, ~[\d.]+k tokens saved$/)
    const whole = ofAll.filter((each) => !each.startsWith('    '))
    expect(Math.abs(tokensIn(allTime) - sumOf(whole))).toBeLessThan(200)
  })

  row('000-51', async () => {
    const lines = await stats()
    expect(lines[lines.indexOf('Strategy Effectiveness:') + 1]).toBe('─'.repeat(60))
  })

  row('000-52', async () => {
    const own = await line('  Auto-Supersede')
    expect(own).toMatch(/^ {2}Auto-Supersede {8}12 prunes, ~[\d.]+k saved ⭐$/)
    const parts = await Promise.all(['🔄', '📁', '✅'].map((sign) => line(`    ${sign}`)))
    expect(Math.abs(tokensIn(own) - sumOf(parts))).toBeLessThan(200)
  })

  row('000-53', async () =>
    expect(await line('    🔄')).toMatch(/^ {4}🔄 hash {14}5 prunes, ~[\d.]+k?$/),
  )
  row('000-54', async () =>
    expect(await line('    📁')).toMatch(/^ {4}📁 file {14}4 prunes, ~[\d.]+k?$/),
  )
  row('000-55', async () =>
    expect(await line('    ✅')).toMatch(/^ {4}✅ todo {14}3 prunes, ~[\d.]+k?$/),
  )
})

describe('the log of auto-supersede', () => {
  const app = '/src/app.ts'
  const acts = [bash('a'), bash('a'), read(app), write(app), todowrite('One'), todowrite('Two')]
  const onCommandLine = recordedSession(acts)
  const log = memoised(async () => (await onCommandLine('stats', '--preset', 'acp', '--log')).out)

  row('000-56', async () =>
    expect(await log()).toMatch(/^\[auto-supersede\] 🔄 hash [0-9a-f]{6}: call_001 → call_002$/m),
  )
  row('000-57', async () =>
    expect(await log()).toContain(
      '[auto-supersede] 📁 file /src/app.ts: read call_003 superseded by write\n',
    ),
  )
  row('000-58', async () => {
    const { log: hosted } = await acted(acp, acts)
    expect(hosted).toMatch(/\[auto-supersede\] ✅ todo: pruned old todowrite call_\d+$/m)
  })
})
