import { describe, expect, it } from 'vitest'
import { resolveSettings } from '../../src/config/resolve.ts'
import type { Settings } from '../../src/core/words/settings.ts'
import { call, failed, file, idle } from './settings-row.ts'
import { lines, type Told, type ToldTurn, tell } from './told-session.ts'

const steps = Array.from({ length: 900 }, (_, n) => `step ${n} of the build is done`).join('\n')
const build = (id: string): ReturnType<typeof call> =>
  failed(call(id, 'bash', { command: 'make' }, `${steps}\nError: boom in ${id}`))

/** An edit, a write and a list that newer ones have replaced, and failures: alone, again, and before a success. */
const session: readonly ToldTurn[] = [
  [file('r1', 'a.ts', lines(1, 40))],
  [
    call(
      'e1',
      'edit',
      { filePath: 'a.ts', oldString: lines(3, 9), newString: 'three to nine' },
      'ok',
    ),
  ],
  [call('w1', 'write', { filePath: 'b.ts', content: lines(1, 40) }, 'ok')],
  [call('w2', 'write', { filePath: 'b.ts', content: lines(2, 50) }, 'ok')],
  [call('t1', 'todowrite', { todos: [{ content: lines(1, 9), status: 'pending' }] }, 'ok')],
  [call('t2', 'todowrite', { todos: [{ content: lines(1, 9), status: 'completed' }] }, 'ok')],
  [build('f1')],
  [build('f2')],
  [call('ok', 'bash', { command: 'make' }, 'built')],
  ...idle(40),
]

function shownUnder(preset: 'balanced' | 'verbose', schedule: Settings['schedule']): Told {
  const turns: readonly ToldTurn[] = [...session, [call('p', 'context_prune', {}, 'done')]]
  return tell(turns, resolveSettings({ preset, schedule }))
}

describe.each(['eager', 'economic', 'on-demand'] as const)('verbose, applied %s', (schedule) => {
  it('keeps the inputs of calls, whatever became of what they did', () => {
    expect(shownUnder('verbose', schedule).inputs).toEqual({})
  })

  it('keeps the results of failed calls whole', () => {
    const { f1, f2 } = shownUnder('verbose', schedule).results
    expect([f1, f2]).toEqual([undefined, undefined])
  })
})

describe('balanced', () => {
  it('lets go of both, so that keeping them is a difference', () => {
    const { inputs, results } = shownUnder('balanced', 'eager')
    expect(inputs).toHaveProperty('e1')
    expect(results).toMatchObject({ f1: 'superseded retry ok', f2: 'superseded retry ok' })
  })
})
