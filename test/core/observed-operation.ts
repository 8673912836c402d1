import type { Action } from '../../src/core/words/action.ts'
import type { Operation } from '../../src/core/words/operation.ts'
import type { FileLines } from '../../src/core/words/reading.ts'

export interface OperationSample {
  readonly action: Action
  readonly lines?: FileLines | null
  readonly body?: string
  readonly tool?: string
  readonly status?: Operation['status']
  readonly turn?: number
  readonly exitCode?: number | null
  readonly truncated?: boolean
}

let items = 0

/** An operation as it would be completed, for tests: only what matters is given. */
export function operation(sample: OperationSample): Operation {
  const { action, tool = 'Tool', status = 'ok', turn = 1, body = '' } = sample
  const place = { message: 0, turn, handle: '000000', tokens: 0, text: '' }
  const call = `call-${items}`
  return {
    call: { ...place, kind: 'call', role: 'assistant', index: items++, tool, call },
    result: { ...place, kind: 'result', role: 'tool', index: items++, tool, call, status },
    action,
    reading: {
      body,
      lines: sample.lines ?? null,
      injected: [],
      exitCode: sample.exitCode ?? null,
      truncated: sample.truncated ?? false,
    },
    status,
    turn,
  }
}
