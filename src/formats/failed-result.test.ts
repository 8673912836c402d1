import { describe, expect, it } from 'vitest'
import { statusByText } from './failed-result.ts'
import { bodyFormats } from './index.ts'

describe('the status of a result on a wire that has no field for it', () => {
  it.each([
    ['apply_patch', 'apply_patch verification failed: Failed to find expected lines in /p/a:\nx'],
    ['apply_patch', 'Exit code: 1\nWall time: 0 seconds\nOutput:\nno'],
    ['exec_command', 'exec_command failed for `x`: no'],
    ['mcp__files__read', 'File not found: /p/a.js'],
    ['read', 'File not found: /p/a.js'],
    ['read', 'File not found: /p/a.js\n\nDid you mean one of these?\n/p/b.js'],
    ['read', 'Offset 20 is out of range for this file (2 lines)'],
    ['read', 'Offset 20 is beyond end of file (3 lines total)'],
    ['read', "ENOENT: no such file or directory, access '/p/a.js'"],
    ['edit', 'Could not find oldString in the file. It must match exactly.'],
    ['edit', 'Could not find the exact text in /p/a.js.'],
    ['bash', 'broken\n\n\nCommand exited with code 3'],
    ['view', 'Path /p/a.js does not exist. Please provide a valid path.'],
    [
      'view',
      'Invalid view_range: start line (20) is beyond the end of the file. The file has 0 lines.',
    ],
    ['create', 'Path /p/a.js already exists as a file. Use `view` to check contents then edit it.'],
    ['edit', 'No match found: old_str not found in /p/a.js; no changes made'],
  ])('of %s is an error for %j', (tool, text) => {
    expect(statusByText(tool, text)).toBe('error')
  })

  it.each([
    ['read', 'File not found: is what this page is about\nand more'],
    ['read', "ENOENT: no such file or directory, access '/p/a.js'\n    at open (fs.js:1)"],
    ['read', '<path>/p/a</path>\n<type>file</type>\n<content>\n1: Error\n</content>'],
    ['read', 'EXAMPLE: a file of one line'],
    ['bash', 'Command exited with code 0'],
    ['bash', 'Command exited with code 3\nwas seen in the log'],
    ['exec_command', 'Chunk ID: 1\nProcess exited with code 1\nOutput:\nno'],
    ['edit', 'Edit applied successfully.'],
    ['view', 'No match found: is the first line\nof this file'],
    ['create', 'Created file /p/a.js with 31 characters'],
    ['grep', 'Error: is found in 3 files'],
  ])('of %s is no error for %j', (tool, text) => {
    expect(statusByText(tool, text)).toBe('ok')
  })

  it('is read by the text over Anthropic too, where the client marks nothing', () => {
    const text = 'Path /p/a.js already exists as a file. Use `view` to check contents then edit it.'
    const statusWith = (marked: object): unknown => {
      const content = [{ type: 'tool_result', tool_use_id: 'c', content: text, ...marked }]
      const messages = [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'create', input: {} }] },
        { role: 'user', content },
      ]
      const read = bodyFormats.anthropic.read(JSON.stringify({ model: 'm', messages }))
      const item = read.messages.at(-1)?.items[0]
      return item?.kind === 'result' ? item.status : null
    }
    expect([{}, { is_error: false }, { is_error: true }].map(statusWith)).toEqual([
      'error',
      'ok',
      'error',
    ])
  })

  it('is read from both of the APIs', () => {
    const text = 'File not found: /p/a.js'
    const chat = {
      model: 'm',
      messages: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'read', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: text },
      ],
    }
    const responses = {
      model: 'm',
      input: [
        { type: 'function_call', call_id: 'c', name: 'read', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: text },
      ],
    }
    for (const messages of [
      bodyFormats['openai-chat'].read(JSON.stringify(chat)).messages,
      bodyFormats['openai-responses'].read(JSON.stringify(responses)).messages,
    ])
      expect(messages.at(-1)?.items).toMatchObject([{ kind: 'result', status: 'error', text }])
  })
})
