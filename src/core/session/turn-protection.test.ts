import { describe, expect, it } from 'vitest'
import {
  lines,
  outcomeOf,
  type ToldCall,
  type ToldTurn,
  tell,
} from '../../../test/engine/told-session.ts'
import { presets } from '../../config/presets.ts'
import { resolveSettings } from '../../config/resolve.ts'
import type { Settings } from '../words/settings.ts'

const call = (
  id: string,
  tool: string,
  input: ToldCall['input'],
  rest: Partial<ToldCall> = {},
): ToldCall => ({ id, tool, input, output: lines(1, 30, id), ...rest })
const idle = (count: number): readonly ToldTurn[] =>
  Array.from({ length: count }, (_, at) => [
    call(`i${at}`, 'bash', { command: `run ${at}` }, { output: 'ok' }),
  ])

const build = { target: 'x', log: lines(1, 5) }
const page = { url: 'https://docs.test/a' }
const failure = call('a', 'build', build, { status: 'error' })
const write = (id: string, text: string): ToldCall =>
  call(id, 'write', { filePath: 'a.ts', content: lines(1, 9, text) }, { output: lines(1, 9, text) })
const edit = (id: string, at: number): ToldCall =>
  call(id, 'edit', { filePath: 'a.ts', oldString: lines(at, at + 40), newString: `${at}` })

const sessions: Readonly<Record<string, readonly ToldTurn[]>> = {
  'a failure and its retry': [[failure], [call('b', 'build', build)], ...idle(12)],
  'a failure and a late retry': [[failure], ...idle(3), [call('b', 'build', build)], ...idle(12)],
  'an old failure': [[failure], ...idle(14)],
  'a file read twice': [
    [call('a', 'read', { filePath: 'a.ts' })],
    [call('b', 'read', { filePath: 'a.ts' })],
    ...idle(12),
  ],
  'a page fetched three times': [
    [call('a', 'webfetch', page)],
    [call('b', 'webfetch', page)],
    ...idle(2),
    [call('c', 'webfetch', page)],
    ...idle(12),
  ],
  'a search that is repeated': [
    [call('a', 'grep', { pattern: 'x' })],
    [call('b', 'grep', { pattern: 'x' })],
    ...idle(12),
  ],
  'a file written, edited and read': [
    [write('a', 'one')],
    [edit('b', 1)],
    [write('c', 'two')],
    [call('d', 'read', { filePath: 'a.ts' })],
    ...idle(12),
  ],
  'a long run of edits': [
    ...Array.from({ length: 14 }, (_, at) => [edit(`e${at}`, at)]),
    ...idle(14),
  ],
}
const presetNames = ['acp', 'balanced', 'compact', 'dcp'] as const

/** What became of results and inputs when all protected turns have passed. */
function decided(turns: readonly ToldTurn[], settings: Settings): unknown {
  const { results, inputs } = outcomeOf(tell(turns, settings).engine)
  return { results, inputs }
}

describe.each(presetNames)('turn protection with the preset %s', (preset) => {
  it.each(Object.keys(sessions))(
    'puts off what is decided and changes nothing of it: %s',
    (name) => {
      const turns = sessions[name] ?? []
      const at = (turnProtection: number): unknown =>
        decided(turns, resolveSettings({ preset, schedule: 'eager', turnProtection }))
      const without = at(0)
      const protectedTurns = [1, 2, 3, 4, 5, 6]
      expect(protectedTurns.map(at)).toEqual(protectedTurns.map(() => without))
    },
  )
})

describe('the input of a failure that was retried', () => {
  it('stays where only purged ones go, though the failure is purged by its age while it waits', () => {
    const settings = { ...presets.acp, pruneToolInputs: false }
    const turns = sessions['a failure and its retry'] ?? []
    const at = (turnProtection: number): unknown => decided(turns, { ...settings, turnProtection })
    expect([at(0), at(5)]).toEqual(
      Array.from({ length: 2 }, () => ({ results: { a: 'superseded retry b' }, inputs: {} })),
    )
  })
})
