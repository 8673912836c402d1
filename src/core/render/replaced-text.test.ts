import { describe, expect, it } from 'vitest'
import type { Action } from '../record/action.ts'
import { withoutReplacedText } from './replaced-text.ts'

const action: Action = { kind: 'edit', path: '/a.ts', edits: [] }
const recall = 'context_restore a1b2c3'

describe('an edit without the text that it took out', () => {
  it('says how much went and how to get it back, and stays JSON', () => {
    const input = JSON.stringify({ path: 'a.ts', old_string: 'one\n'.repeat(60), new_string: 'x' })
    expect(JSON.parse(withoutReplacedText(input, action, recall) ?? '')).toEqual({
      path: 'a.ts',
      old_string: `[61 lines replaced · ${recall}]`,
      new_string: 'x',
    })
  })

  it('is left as it is when only its spaces could go', () => {
    const input = '{ "path":  "a.ts",  "new_string":  "x",  "start_line":  1 }'
    expect(withoutReplacedText(input, action, recall)).toBeNull()
  })
})
