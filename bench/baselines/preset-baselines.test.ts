import { describe, expect, it } from 'vitest'
import type { Recording, RecordingEvent } from '../../src/recordings/recording.ts'
import { benchSession, engineTrace } from '../score/sources.ts'
import { presetBaselines } from './preset-baselines.ts'
import { called, recordingOf } from './scripted-recording.ts'

const contents = (version: number): string =>
  Array.from({ length: 40 }, (_, line) => `${line + 1}\tvalue_${line} = ${version}`).join('\n')

/** How the last request shows each result. */
function shownBy(name: string, recording: Recording): readonly string[] {
  const baseline = presetBaselines.find((each) => each.name === name)
  if (baseline === undefined) throw new Error(`no baseline is called ${name}`)
  const whole = benchSession({ name: 's', file: 's', ordinal: 0, recording })
  const { requests } = engineTrace(whole, baseline.config, name)
  const results = requests.at(-1)?.view.filter(({ item }) => item.kind === 'result') ?? []
  return results.map(({ how }) => how)
}

const filePath = '/project/src/app.ts'
const read = (id: string, version: number): readonly RecordingEvent[] =>
  called(id, 'read', { filePath }, contents(version))

describe('acp-documented', () => {
  it('clears both reads once the file is edited, and keeps the edit', () => {
    const edit = { filePath, oldString: 'value_1 = 1', newString: 'value_1 = 2' }
    const recording = recordingOf(read('r1', 1), read('r3', 1), called('e5', 'edit', edit, 'ok'))
    expect(shownBy('acp-documented', recording)).toEqual(['superseded', 'superseded', 'full'])
  })
})

describe('smart-tool-history', () => {
  it('of six reads keeps the first, the last and samples, and points to them from the rest', () => {
    const recording = recordingOf(
      ...[1, 2, 3, 4, 5, 6].map((version) => read(`r${version}`, version)),
    )
    const shown = shownBy('smart-tool-history', recording)
    expect([shown[0], shown[5]]).toEqual(['full', 'full'])
    expect(shown.filter((how) => how === 'pointer').length).toBeGreaterThan(0)
    expect(shown.filter((how) => how === 'full').length).toBeLessThanOrEqual(5)
  })
})
