import { describe, expect, it } from 'vitest'
import { presets } from '../../src/config/presets.ts'
import { slow, superlinear } from './growth.ts'
import {
  bodyReaders,
  callReaders,
  engineReaders,
  memoryReaders,
  otherMemoryReaders,
  type Reader,
  renderReaders,
  resultReaders,
  shellReaders,
} from './readers.ts'
import { recordingReaders } from './recordings.ts'
import { mixed, plainTokens, repeated } from './shapes.ts'

const readers: readonly Reader[] = [
  ...shellReaders,
  ...callReaders,
  ...resultReaders,
  ...renderReaders,
  ...otherMemoryReaders,
  ...bodyReaders,
  ...recordingReaders,
]

describe('the time to read a hostile text grows with its length', () => {
  it.each(readers)('$name', { timeout: 300_000 }, ({ tokens, read }) => {
    const shapes = [...repeated(tokens), ...mixed([...tokens, ...plainTokens], 6)]
    expect(shapes.flatMap((shape) => superlinear(read, shape) ?? [])).toEqual([])
  })

  it.each([...engineReaders('balanced', presets.balanced)])(
    'a session under $name',
    { timeout: 300_000 },
    ({ tokens, read }) => {
      expect(repeated(tokens).flatMap((shape) => superlinear(read, shape, 3) ?? [])).toEqual([])
    },
  )
})

describe('a message that memory reads whole', () => {
  it.each(memoryReaders)('$name', { timeout: 300_000 }, ({ tokens, read }) => {
    const all = [...new Set([...tokens, ...plainTokens])]
    const shapes = [...repeated(all), ...mixed(all, 60)]
    expect(shapes.flatMap((shape) => slow(read, shape, 3_900) ?? [])).toEqual([])
  })
})
