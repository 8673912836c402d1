import { expect, it } from 'vitest'
import { anthropic } from '../../src/formats/anthropic/index.ts'
import { createEngine } from '../../src/index.ts'

/** A file with the line ends of Windows, as Claude Code prints it. */
const text = Array.from({ length: 60 }, (_, at) => `const value${at} = ${at * 7}\r`)
const printed = text.map((line, at) => `${at + 1}\t${line}`).join('\n')

function request(
  calls: readonly (readonly [tool: string, input: object, output: string])[],
): string {
  return JSON.stringify({
    model: 'claude-opus-4-5',
    max_tokens: 1000,
    messages: [
      { role: 'user', content: 'Please tidy it.' },
      ...calls.flatMap(([name, input, content], at) => [
        { role: 'assistant', content: [{ type: 'tool_use', id: `t${at}`, name, input }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${at}`, content }] },
      ]),
    ],
  })
}

/** The results that the model sees at the last of the requests. */
function seen(calls: Parameters<typeof request>[0]): readonly string[] {
  const engine = createEngine({ preset: 'balanced' })
  let source = ''
  for (let count = 1; count <= calls.length; count++) {
    const read = anthropic.read(request(calls.slice(0, count)))
    source = String(anthropic.rewrite(read, engine.request(read.messages).changes).source)
  }
  const { messages } = JSON.parse(source) as {
    readonly messages: readonly { readonly content: string | readonly { content?: string }[] }[]
  }
  return messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.flatMap((part) => part.content ?? []),
  )
}

it('knows a file of Windows under every spelling of its path, and points to the lines that are visible', () => {
  const spellings = ['C:\\Users\\ann lee\\app\\src\\a.ts', 'c:/Users/ann lee/app/src/a.ts']
  const results = seen(spellings.map((file_path) => ['Read', { file_path }, printed]))
  expect(results[0]).toBe(printed)
  for (const again of results.slice(1)) {
    expect(again.length).toBeLessThan(200)
    expect(again).toContain('same file lines as in `read C:\\Users\\ann lee\\app\\src\\a.ts')
  }
})

it('does not take the same path on another drive for the same file', () => {
  const results = seen([
    ['Read', { file_path: 'C:\\app\\a.ts' }, printed],
    ['Read', { file_path: 'D:\\app\\a.ts' }, printed.replaceAll('value', 'other')],
  ])
  expect(results[1]).toBe(printed.replaceAll('value', 'other'))
})

it('follows an edit through line ends of Windows', () => {
  const edited = printed.replace('value30 = 210', 'value30 = 211')
  const results = seen([
    ['Read', { file_path: 'C:\\app\\a.ts' }, printed],
    [
      'Edit',
      { file_path: 'c:\\app\\a.ts', old_string: 'value30 = 210', new_string: 'value30 = 211' },
      'The file C:\\app\\a.ts has been updated successfully.',
    ],
    ['Read', { file_path: 'C:/app/a.ts' }, edited],
  ])
  expect(results[2]!.length).toBeLessThan(edited.length / 2)
  expect(results[2]).toContain('value30 = 211')
})
