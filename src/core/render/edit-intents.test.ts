import { describe, expect, it } from 'vitest'
import { sampleOperation } from '../../../test/core/sample-operation.ts'
import type { Action } from '../words/action.ts'
import type { Operation } from '../words/operation.ts'
import { intentOf, listIntents, summarizeEdit } from './edit-intents.ts'
import { editListInput } from './edit-list-input.ts'
import { noteOf, ownText, withNote } from './input-note.ts'
import { withoutNote } from './marks.ts'

const replace = (oldText: string, newText: string): Action => ({
  kind: 'edit',
  path: 'config.py',
  edits: [{ kind: 'replace', oldText, newText, all: false }],
})
const edit = (turn: number, intent: string): Operation =>
  sampleOperation({
    action: replace('a', 'b'),
    input: JSON.stringify({
      file_path: 'config.py',
      old_str: 'a',
      new_str: 'b'.repeat(500),
      intent,
    }),
    turn,
  })
const recall = { handle: 'c0ffee', restore: 'context_restore' }
const run = {
  path: 'config.py',
  edits: [
    edit(10, 'Added AGENT_CONFIG'),
    edit(20, 'Modified system prompt'),
    edit(30, 'Modified system prompt'),
    edit(50, 'Added tool definitions'),
  ],
}
const listed = [
  '[Edits to config.py: 4 changes between turns 10-50]',
  '- Added AGENT_CONFIG',
  '- Modified system prompt 2x',
  '- Added tool definitions',
  '[Full diff available in ground truth] [context_restore c0ffee]',
].join('\n')

describe('summarizeEdit', () => {
  it('is the intent where the agent gave one', () => {
    expect(intentOf(edit(1, ' Fix\n the bug '))).toBe('Fix the bug')
    expect(summarizeEdit(edit(1, 'Fix the bug'))).toBe('Fix the bug')
  })

  it.each([
    [replace('a\nb\nc', 'a\nx\nc'), 'b → x'],
    [replace('a\n', 'a\nx\n'), 'added x'],
    [replace('gone\n', ''), 'removed gone'],
    [{ kind: 'write', path: 'a', content: 'x' } as const, 'wrote the whole file'],
    [
      {
        kind: 'patch',
        files: [
          {
            op: 'update',
            path: 'a',
            movedTo: null,
            hunks: [
              {
                heading: '',
                oldStart: null,
                lines: [
                  { sign: ' ', text: 'same' },
                  { sign: '-', text: '  before' },
                  { sign: '+', text: '  after' },
                ],
              },
            ],
          },
        ],
      } as const,
      'before → after',
    ],
    [replace('}', '\tname string\n}'), 'added name string'],
    [replace('a: 1,\nb: 2', 'a:   1,\nb:   2,\nlonger: 3,\n'), 'added longer: 3'],
  ])('is what changed where it gave none: %j', (action, words) => {
    expect(summarizeEdit(sampleOperation({ action }))).toBe(words)
  })
})

describe('listIntents', () => {
  it('has the words of the smart tool history, and the handle', () => {
    expect(listIntents(run, recall, 1000)).toBe(listed)
  })

  it('counts what there is no room for', () => {
    expect(listIntents(run, recall, 160)).toBe(
      [
        '[Edits to config.py: 4 changes between turns 10-50]',
        '- Added AGENT_CONFIG',
        '- (2 more)',
        '[Full diff available in ground truth] [context_restore c0ffee]',
      ].join('\n'),
    )
    expect(listIntents(run, recall, 50)).toBeNull()
  })
})

describe('editListInput', () => {
  const patch = `*** Begin Patch\n*** Update File: config.py\n@@\n-a\n+${'b'.repeat(500)}\n*** End Patch`

  it.each([
    [
      'a JSON input',
      run.edits.at(-1)!,
      '{"file_path":"config.py","intent":"Added tool definitions"}',
    ],
    [
      'a patch',
      sampleOperation({ action: replace('a', 'b'), input: patch }),
      '*** Begin Patch\n*** Update File: config.py\n*** End Patch',
    ],
  ])('strips %s, and has the list said in the result', (_, carrier, input) => {
    const rendition = editListInput(carrier, run, 'context_restore')
    expect(ownText(rendition!)).toBe(input)
    expect(noteOf(rendition!)).toBe(listed)
    expect(withoutNote(withNote('Edited.', listed))).toBe('Edited.')
  })

  it('gives nothing that is longer than the input was', () => {
    const carrier = sampleOperation({
      action: replace('a', 'b'),
      input: '{"file_path":"config.py","old_str":"a","new_str":"b"}',
    })
    expect(editListInput(carrier, run, 'context_restore')).toBeNull()
  })
})
