import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type CapturedRun, captureRun } from '../../test/captured-run.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-prices-'))
const recordings = path.join(folder, 'recordings')
const settings = path.join(folder, 'palimpsest.jsonc')
mkdirSync(recordings)
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => rmSync(settings, { force: true }))

const palimpsest = (...args: string[]): Promise<CapturedRun> =>
  captureRun(args, { cwd: folder, home: folder })
const configure = (config: object): void => writeFileSync(settings, JSON.stringify(config))
interface Sides {
  readonly with: number
  readonly without: number
}
interface Printed {
  readonly tokens: Sides
  readonly dollars: Sides
  readonly epochs: number
  readonly variants: readonly {
    readonly prices: readonly { readonly regime: string; readonly dollars: Sides }[]
  }[]
}
const json = async (...args: string[]): Promise<Printed> => {
  const { code, out, err } = await palimpsest(...args, '--json')
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}

const line = (value: object): string => `${JSON.stringify({ sessionId: 's', ...value })}\n`
const at = (minutes: number): string => new Date(Date.UTC(2026, 0, 5, 10, minutes)).toISOString()
const page = 'a line of the page that was fetched, and some more of it\n'.repeat(40)

/** The same page is fetched again and again, so that a newer result replaces an older one; then a pause. */
const session = [
  line({ type: 'user', timestamp: at(0), message: { role: 'user', content: 'watch the page' } }),
  ...Array.from({ length: 8 }, (_, turn) => {
    const id = `t${turn}`
    const input = { url: 'https://example.org/' }
    const minutes = turn < 6 ? turn : turn + 30
    return [
      line({
        type: 'assistant',
        timestamp: at(minutes),
        message: {
          id: `m${turn}`,
          role: 'assistant',
          model: 'claude-sonnet-4-5',
          content: [{ type: 'tool_use', id, name: 'WebFetch', input }],
          usage: {
            input_tokens: 1,
            cache_read_input_tokens: turn === 0 ? 0 : 20_000 + 600 * (turn - 1),
            cache_creation_input_tokens: turn === 0 ? 20_000 : 600,
            output_tokens: 5,
          },
        },
      }),
      line({
        type: 'user',
        timestamp: at(minutes),
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: id, content: `${turn} ${page}` }],
        },
      }),
    ].join('')
  }),
].join('')
const file = path.join(recordings, 'session.jsonl')
writeFileSync(file, session)
writeFileSync(path.join(recordings, 'notes.txt'), 'no recording')

describe('replay', () => {
  it('prints exactly what outside judges read', async () => {
    const summary = await json('replay', file)
    expect(summary).toEqual({
      requests: 8,
      tokens: { with: expect.any(Number), without: expect.any(Number) },
      dollars: { with: expect.any(Number), without: expect.any(Number) },
      epochs: expect.any(Number),
      decisions: expect.any(Object),
    })
  })

  it('tells people of epochs, the bank, recalls, and the cache that was foretold', async () => {
    const args = ['replay', file, '--preset', 'acp', '--regime', 'deepseek-v4']
    const brief = (await palimpsest(...args)).out
    expect(brief).toMatch(/^input under deepseek-v4: \$0\.\d{4} as it ran, \$0\.\d{4} under acp/)
    expect(brief).not.toContain('paid back after')
    const out = (await palimpsest(...args, '--epochs')).out.replaceAll('\n  ', ' ')
    expect(out).toMatch(/request +reason +removed +sent again +cost +paid back after/)
    expect(out).toMatch(/ \d+ +at once/)
    expect(out).toMatch(/bank: -?\$0\.\d{4} saved at the end/)
    expect(out).toContain('recalled: nothing')
    expect(out).toMatch(/cache: 8\d\.\d % of the input was read from it in 8 answers; predicted/)
  })

  it('says what is known when a regime is not', async () => {
    expect(await palimpsest('replay', file, '--regime', 'gold')).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        'anthropic-5m, anthropic-1h, opus-5.5, openai, deepseek-v4, no-cache',
      ),
    })
  })
})

describe('the key `regime`', () => {
  it('prices a replay, unless the command says otherwise', async () => {
    const asked = await json('replay', file, '--regime', 'no-cache')
    const usual = await json('replay', file)
    configure({ regime: 'no-cache' })
    expect(await json('replay', file)).toEqual(asked)
    expect(await json('replay', file, '--regime', 'anthropic-5m')).toMatchObject({
      dollars: { without: usual.dollars.without },
    })
    expect((await palimpsest('replay', file, '--trace')).out).toContain('"regime":"no-cache"')
  })

  it('is refused with its line when there is no such regime', async () => {
    configure({ regime: 'opus' })
    expect(await palimpsest('replay', file)).toMatchObject({
      code: 2,
      err: expect.stringContaining('`regime`'),
    })
  })
})

describe('the key `models`', () => {
  const modelPrice = async (): Promise<number> => {
    const [variant] = (await json('compare', file, '--preset', 'off')).variants
    return variant?.prices.find(({ regime }) => regime === 'model')?.dollars.without ?? 0
  }

  it("changes what a session's own model costs", async () => {
    const usual = await modelPrice()
    configure({ models: [{ model: 'claude-sonnet-4*', inputPrice: 6 }] })
    expect((await modelPrice()) / usual).toBeCloseTo(2)
    configure({ models: [{ model: 'other-*', inputPrice: 8 }] })
    expect(await modelPrice()).toBe(usual)
  })

  it('changes what the cache is expected to hold', async () => {
    configure({ models: [{ model: '*', cacheMinutes: 0 }] })
    expect((await palimpsest('replay', file)).out).toContain('predicted 0.0 %')
  })

  it('is refused with the nearest key when one is misspelt', async () => {
    configure({ models: [{ model: 'x', inputprice: 8 }] })
    expect(await palimpsest('replay', file)).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean `inputPrice`?'),
    })
  })
})

describe('compare', () => {
  it('puts presets, schedules and regimes side by side, over a folder too', async () => {
    const { code, out, err } = await palimpsest('compare', recordings)
    expect([code, err]).toEqual([0, expect.stringContaining('skipped')])
    expect(out).toMatch(/^1 session, 8 requests/)
    expect(out).toContain('$ anthropic-5m  $ anthropic-1h  $ opus-5.5')
    for (const row of ['balanced, economic', 'acp, eager', 'balanced, cold-only'])
      expect(out).toContain(row)
  })

  it('gives the same as replay for the same choice', async () => {
    const replayed = await json('replay', file, '--preset', 'acp', '--regime', 'openai')
    const compared = await json('compare', file, '--preset', 'acp', '--regime', 'openai')
    expect(compared).toMatchObject({
      sessions: 1,
      requests: 8,
      variants: [
        {
          preset: 'acp',
          schedule: 'eager',
          tokens: replayed.tokens,
          epochs: replayed.epochs,
          prices: [{ regime: 'openai', dollars: replayed.dollars }, { regime: 'model' }],
        },
      ],
      cache: { figures: { requests: 8 } },
    })
  })

  it('says what is known when a name is not, and reads nothing', async () => {
    for (const option of ['--preset', '--schedule', '--regime'])
      expect(await palimpsest('compare', file, option, 'off,gold')).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringMatching(/gold is not known|off is not known/),
      })
    expect(await palimpsest('compare', path.join(recordings, 'notes.txt'))).toMatchObject({
      code: 2,
    })
  })
})
