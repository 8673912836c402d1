import { describe, expect } from 'vitest'
import { lines } from '../engine/told-session.ts'
import { type Act, acted, app, bash, edit, perform, read, shapeOf, write } from './acted.ts'
import { type HostedSession, hostedSession } from './hosted-session.ts'
import { row } from './statement.ts'

const acp = { preset: 'acp' }
const keys = (aggressivePruning: object): object => ({ ...acp, strategies: { aggressivePruning } })
/** Each strategy as it is by default, and switched off. */
const onAndOff = async <Value>(
  key: string,
  told: (given: Readonly<Record<string, unknown>>) => Promise<Value>,
): Promise<readonly [on: Value, off: Value]> => [
  await told(acp),
  await told({ ...keys({ [key]: false }) }),
]
const oneMessage = (session: HostedSession, part: object): void => {
  const { parts } = session.conversation.stored.at(-1)!
  const { sessionID, messageID } = parts[0]!
  parts.push({ id: `prt_s1_x${parts.length}`, sessionID, messageID, ...part })
}

describe('the aggressive strategies', () => {
  row('001-16', async () => {
    const [on, off] = await onAndOff('pruneToolInputs', async (given) => {
      const { said } = await acted(given, [write(app, { output: 'ok' }), read()])
      return said[0] ?? ''
    })
    expect(on).toContain('"filePath":"/src/app.ts"')
    expect(on).not.toContain('new 5 of a text')
    expect(off).toContain('new 5 of a text')
  })

  row('001-17', async () => {
    const [on, off] = await onAndOff('pruneStepMarkers', async (given) => {
      const session = await hostedSession(given)
      await perform(session, [bash('make')])
      oneMessage(session, { type: 'step-finish', reason: 'tool-calls', cost: 0 })
      await session.idle(1)
      return (await session.conversation.request()).flatMap(({ parts }) =>
        parts.map(({ type }) => type).filter((type) => String(type).startsWith('step-')),
      )
    })
    expect(on).toEqual([])
    expect(off).toEqual(expect.arrayContaining(['step-start', 'step-finish']))
  })

  row('001-18', async () => {
    const fetched = (url: string): Act => ({ tool: 'webfetch', input: { url } })
    const acts = [fetched('https://docs.test/a'), fetched('https://docs.test/a#part')]
    expect(await onAndOff('pruneSourceUrls', (given) => shapeOf(given, acts))).toEqual(['HF', 'FF'])
  })

  row('001-19', async () => {
    const acts = [bash('ls'), bash('ls ')]
    expect(await onAndOff('stateQuerySupersede', (given) => shapeOf(given, acts))).toEqual([
      'HF',
      'FF',
    ])
  })

  row('001-20', async () => {
    const taken = (filePath: string, n: number): Act => ({
      tool: 'snapshot',
      input: { filePath, n },
    })
    const acts = [taken('a.ts', 1), taken('b.ts', 2), taken('a.ts', 3)]
    expect(await onAndOff('pruneSnapshots', (given) => shapeOf(given, acts))).toEqual([
      'HFF',
      'FFF',
    ])
  })

  row('001-21', async () => {
    const acts: readonly Act[] = [{ ...bash('make'), status: 'error' }, bash('make')]
    expect(await onAndOff('pruneRetryParts', (given) => shapeOf(given, acts))).toEqual(['HF', 'FF'])
  })

  row('001-22', async () => {
    const [on, off] = await onAndOff('pruneFiles', async (given) => {
      const session = await hostedSession(given)
      const url = `data:image/png;base64,${'A'.repeat(4000)}`
      oneMessage(session, { type: 'file', mime: 'image/png', filename: 'a.png', url })
      await session.idle(2)
      return JSON.stringify(await session.conversation.request())
    })
    expect(on).toMatch(/\[image\/png, 3 KB · .*context_restore [0-9a-f]{6}\]/)
    expect(on).not.toContain('AAAAAAAA')
    expect(off).toContain('AAAAAAAA')
  })

  row('001-23', async () => {
    const block = ['```ts', lines(1, 30, 'code'), '```'].join('\n')
    const [on, off] = await onAndOff('pruneUserCodeBlocks', async (given) => {
      const session = await hostedSession(given)
      session.conversation.say(`Before it.\n${block}\nBehind it.`)
      await session.idle(6)
      return (await session.shown()).join('\n')
    })
    for (const kept of ['Before it.', 'Behind it.', 'code 3 of', 'code 28 of'])
      expect(on).toContain(kept)
    for (const gone of ['code 4 of', 'code 27 of']) expect(on).not.toContain(gone)
    expect(off).toContain(block)
  })

  row('001-24', async () => {
    const failed: Act = { ...bash('make'), status: 'error', output: lines(1, 40, 'failed') }
    const purgeErrors = { enabled: false }
    const told = async (truncateOldErrors: boolean, turns: number): Promise<string> => {
      const aggressivePruning = { truncateOldErrors }
      const session = await hostedSession({
        ...acp,
        strategies: { purgeErrors, aggressivePruning },
      })
      await perform(session, [failed])
      await session.idle(turns)
      return (await session.shown()).join('\n')
    }
    expect(await told(true, 1)).toContain('failed 20 of')
    const after = await told(true, 4)
    for (const kept of ['failed 1 of', 'failed 3 of', 'failed 38 of', 'failed 40 of'])
      expect(after).toContain(kept)
    for (const gone of ['failed 4 of', 'failed 37 of']) expect(after).not.toContain(gone)
    expect(await told(false, 4)).toContain('failed 20 of')
  })

  row('001-25', async () => {
    const acts = [write(), read('/src/b.ts'), read()]
    const shapes = await onAndOff('aggressiveFilePrune', (given) => shapeOf(given, acts))
    expect(shapes).toEqual(['HFF', 'FFF'])
  })

  row('001-30', async () => {
    const config = 'config.json'
    const other = bash('make')
    const acts = [
      read(config),
      other,
      read(config),
      bash('b'),
      write(config),
      bash('c'),
      read(config),
    ]
    expect(await shapeOf(acp, acts)).toBe('HFHFHFF')
  })

  row('001-31', async () => {
    const part = (offset: number, limit: number): Act => ({
      tool: 'read',
      input: { filePath: app, offset, limit },
      output: Array.from(
        { length: limit },
        (_, at) => `${offset + at}: const a${offset + at} = compute(${at})`,
      ).join('\n'),
    })
    // Another part of the file supersedes nothing; a part that covers it does, and so does any change.
    expect(await shapeOf(acp, [part(1, 30), part(31, 30)])).toBe('FF')
    expect(await shapeOf(acp, [part(11, 10), part(1, 30)])).toBe('HF')
    expect(await shapeOf(acp, [part(1, 30), part(31, 30), edit()])).toBe('HHF')
  })

  row('001-32', async () => {
    const failed: Act = { ...bash('make'), status: 'error' }
    const other: Act = { ...bash('make all'), status: 'error' }
    const { shape, log } = await acted(acp, [failed, failed, other, bash('make')])
    expect(shape).toBe('HHFF')
    expect(log).toContain('[auto-supersede] 🔁 retry')
  })

  row('001-33', async () => {
    expect(await shapeOf(acp, [read(), read(), read()])).toBe('HHF')
    const session = await hostedSession(acp)
    await perform(session, [read(), read(), read()])
    for (const at of [0, 2]) {
      const compacted = session.conversation.stored.filter(({ info }) => info.role === 'assistant')[
        at
      ]
      const state = compacted!.parts.at(-1)!.state as { time: object }
      state.time = { ...state.time, compacted: 2 }
    }
    const shown = (await session.shown()).filter((text) => text.includes(' → '))
    expect(shown.map((text) => /out\d 7 of/.test(text))).toEqual([true, true, true])
  })
})
