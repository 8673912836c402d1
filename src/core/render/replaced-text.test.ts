import { describe, expect, it } from 'vitest'
import type { Action } from '../words/action.ts'
import { noteOf, ownText } from './input-note.ts'
import { withoutReplacedText } from './replaced-text.ts'

const action: Action = { kind: 'edit', path: '/a.ts', edits: [] }
const recall = 'context_restore a1b2c3'

describe('an edit without the text that it took out', () => {
  it('loses the key, so that no placeholder stands where a text of the file should', () => {
    const input = JSON.stringify({ path: 'a.ts', old_string: 'one\n'.repeat(60), new_string: 'x' })
    const rendition = withoutReplacedText(input, action, recall)
    expect(rendition?.how).toBe('truncated')
    expect(ownText(rendition!)).toBe('{"path":"a.ts","new_string":"x"}')
    expect(noteOf(rendition!)).toBe(`[replaced text left out · ${recall}]`)
  })

  it('keeps one removed line of a patch, which matches no file', () => {
    const removed = Array.from({ length: 30 }, (_, line) => `-line ${line}`)
    const patch = ['*** Begin Patch', '*** Update File: a.ts', '@@', ...removed, '+x'].join('\n')
    expect(withoutReplacedText(patch, { kind: 'patch', files: [] }, 'a1b2c3')).toEqual({
      how: 'truncated',
      text: '*** Begin Patch\n*** Update File: a.ts\n@@\n-[30 lines removed · a1b2c3]\n+x',
    })
  })

  it('is left as it is when only its spaces could go', () => {
    const input = '{ "path":  "a.ts",  "new_string":  "x",  "start_line":  1 }'
    expect(withoutReplacedText(input, action, recall)).toBeNull()
  })
})
