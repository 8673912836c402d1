import { describe, expect, it } from 'vitest'
import { attachmentItems } from './attachments.ts'

const reminder = (text: string) => [
  { kind: 'text', text: `<system-reminder>\n${text}\n</system-reminder>` },
]

describe('attachment lines of Claude Code', () => {
  it.each([
    [
      { type: 'edited_text_file', filename: 'a.ts', snippet: '1\tx' },
      'edited_text_file a.ts\n1\tx',
    ],
    [
      { type: 'file', filename: 'b.ts', content: { type: 'text', file: { content: 'whole' } } },
      'file b.ts\nwhole',
    ],
    [
      { type: 'nested_memory', path: 'sub/CLAUDE.md', content: { path: 'x', content: 'rules' } },
      'nested_memory sub/CLAUDE.md\nrules',
    ],
    [
      { type: 'hook_additional_context', hookName: 'Stop', content: ['one', 'two'] },
      'hook_additional_context Stop\none\ntwo',
    ],
    [
      { type: 'deferred_tools_delta', addedLines: ['Cron', 'Web'] },
      'deferred_tools_delta\nCron\nWeb',
    ],
    [{ type: 'something_new', content: 'told' }, 'something_new\ntold'],
    [
      { type: 'todo_reminder', content: [{ content: 'a', status: 'pending' }, { id: 7 }] },
      'The TodoWrite tool hasn\'t been used recently.\na\n{"id":7}',
    ],
    [
      { type: 'skill_listing', content: '- deploy: ships' },
      'The following skills are available for use with the Skill tool:\n\n- deploy: ships',
    ],
  ])('show what they told the model: %o', (attachment, text) => {
    expect(attachmentItems(attachment)).toEqual(reminder(text))
  })

  it('give a prompt that waited in the queue as the user wrote it', () => {
    expect(attachmentItems({ type: 'queued_command', prompt: 'and tests' })).toEqual([
      { kind: 'text', text: 'and tests' },
    ])
    const prompt = [{ type: 'text', text: 'this' }]
    expect(attachmentItems({ type: 'queued_command', prompt })).toEqual([
      { kind: 'text', text: 'this' },
    ])
  })

  it.each([
    { type: 'hook_cancelled', hookName: 'Stop' },
    { type: 'hook_success', hookName: 'Stop', content: '' },
    { type: 'command_permissions', allowedTools: ['Read'] },
    { type: 'plan_mode' },
    {},
  ])('say nothing where the model was told nothing that is recorded: %o', (attachment) => {
    expect(attachmentItems(attachment)).toEqual([])
  })
})
