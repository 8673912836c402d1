import { describe, expect, it } from 'vitest'
import type { Action } from '../record/action.ts'
import type { Operation } from '../track/operation.ts'
import { intentOf, listIntents, summarizeEdit } from './edit-intents.ts'
import { editListInput } from './edit-list-input.ts'
import { sampleOperation } from './sample-operation.ts'

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
    expect(listIntents(run, 'c0ffee', 1000)).toBe(listed)
  })

  it('counts what there is no room for', () => {
    expect(listIntents(run, 'c0ffee', 160)).toBe(
      [
        '[Edits to config.py: 4 changes between turns 10-50]',
        '- Added AGENT_CONFIG',
        '- (2 more)',
        '[Full diff available in ground truth] [context_restore c0ffee]',
      ].join('\n'),
    )
    expect(listIntents(run, 'c0ffee', 50)).toBeNull()
  })
})

describe('editListInput', () => {
  it('puts the list into the intent of a JSON input', () => {
    const input = editListInput(run.edits.at(-1)!, run)
    expect(JSON.parse(input ?? '')).toEqual({ file_path: 'config.py', intent: listed })
  })

  it('puts the list before the first file of a patch, where it is no part of it', () => {
    const patch = `*** Begin Patch\n*** Update File: config.py\n@@\n-a\n+${'b'.repeat(500)}\n*** End Patch`
    const carrier = sampleOperation({ action: replace('a', 'b'), input: patch })
    expect(editListInput(carrier, run)).toBe(
      `*** Begin Patch\n${listed}\n*** Update File: config.py\n*** End Patch`,
    )
  })

  it('gives nothing that is longer than the input was', () => {
    const carrier = sampleOperation({
      action: replace('a', 'b'),
      input: '{"file_path":"config.py","old_str":"a","new_str":"b"}',
    })
    expect(editListInput(carrier, run)).toBeNull()
  })
})
