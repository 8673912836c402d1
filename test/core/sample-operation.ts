import type { Action } from '../../src/core/words/action.ts'
import type { Operation } from '../../src/core/words/operation.ts'
import type { FileLines } from '../../src/core/words/reading.ts'

export interface SampleOperation {
  readonly action: Action
  readonly tool?: string
  readonly input?: string
  readonly output?: string
  readonly status?: 'ok' | 'error'
  readonly turn?: number
  readonly lines?: FileLines
}

/** An operation for tests, with the handle `c0ffee` on its call and `a1b2c3` on its result. */
export function sampleOperation(sample: SampleOperation): Operation {
  const { action, tool = 'tool', input = '{}', output = '', status = 'ok', turn = 1 } = sample
  const place = { message: 0, turn, tokens: 0 }
  return {
    call: {
      ...place,
      kind: 'call',
      index: 0,
      role: 'assistant',
      handle: 'c0ffee',
      tool,
      call: '1',
      text: input,
    },
    result: {
      ...place,
      kind: 'result',
      index: 1,
      role: 'tool',
      handle: 'a1b2c3',
      tool,
      call: '1',
      text: output,
      status,
    },
    action,
    reading: {
      body: output,
      lines: sample.lines ?? null,
      injected: [],
      exitCode: null,
      truncated: false,
    },
    status,
    turn,
  }
}
