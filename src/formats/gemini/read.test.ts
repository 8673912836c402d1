import { describe, expect, it } from 'vitest'
import type { MessageDraft } from '../../core/words/item.ts'
import { read } from './read.ts'

const messagesOf = (...contents: unknown[]): readonly MessageDraft[] =>
  read(JSON.stringify({ contents })).messages

/** Kind and call of every item, message by message. */
const pairs = (messages: readonly MessageDraft[]): readonly (readonly string[])[] =>
  messages.map(({ items }) =>
    items.map((item) => ('call' in item ? `${item.kind} ${item.call}` : item.kind)),
  )

const called = (name: string, id?: string): unknown => ({ functionCall: { name, args: {}, id } })
const answered = (name: string, id?: string): unknown => ({
  functionResponse: { name, id, response: { output: 'x' } },
})

describe('reading a Gemini request', () => {
  it('reads both spellings of every key alike', () => {
    const camel = [
      { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
      {
        role: 'model',
        parts: [
          { text: 't', thought: true, thoughtSignature: 's' },
          { functionCall: { name: 'f', args: { a: 1 } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'f', response: { output: 'x' }, willContinue: true } },
          { fileData: { mimeType: 'video/mp4', fileUri: 'gs://v' } },
        ],
      },
    ]
    const snake = JSON.parse(
      JSON.stringify(camel).replace(/"(\w+)":/g, (_all, key: string) => {
        const spelled = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
        return `"${spelled}":`
      }),
    ) as unknown[]
    expect(JSON.stringify(snake)).toContain('function_call')
    expect(messagesOf(...snake)).toEqual(messagesOf(...camel))
    expect(messagesOf(...camel)).toEqual([
      {
        role: 'user',
        items: [
          {
            kind: 'attachment',
            media: 'image/png',
            text: 'image/png, 3 bytes, sha256 63c1dd951ffedf6f',
          },
        ],
      },
      {
        role: 'assistant',
        items: [
          { kind: 'reasoning', binding: 'signed', text: 't' },
          { kind: 'call', tool: 'f', call: 'f#1', text: '{"a":1}' },
        ],
      },
      {
        role: 'user',
        items: [
          { kind: 'result', tool: 'f', call: 'f#1', status: 'running', text: 'x' },
          { kind: 'attachment', media: 'video/mp4', text: 'gs://v' },
        ],
      },
    ])
  })

  it('takes prefix in either spelling as raw JSON', () => {
    const contents = '"contents":[{"parts":[{"text":"x"}]}]'
    expect(read(`{"systemInstruction":{"a":1.0},${contents}}`).prefix.system).toBe('{"a":1.0}')
    expect(read(`{${contents},"system_instruction":{"a":1.0}}`).prefix.system).toBe('{"a":1.0}')
  })

  it('pairs by id where there is one, and else in order within a name', () => {
    const messages = messagesOf(
      { role: 'model', parts: [called('f'), called('g'), called('f'), called('f', 'id1')] },
      { role: 'user', parts: [answered('f', 'id1'), answered('f'), answered('g'), answered('f')] },
    )
    expect(pairs(messages)).toEqual([
      ['call f#1', 'call g#1', 'call f#2', 'call id1'],
      ['result id1', 'result f#1', 'result g#1', 'result f#2'],
    ])
  })

  it('does not pair a result with a call that was left unanswered before', () => {
    const messages = messagesOf(
      { role: 'model', parts: [called('f')] },
      { role: 'user', parts: [{ text: 'stop' }] },
      { role: 'model', parts: [called('f')] },
      { role: 'function', parts: [answered('f')] },
    )
    expect(pairs(messages)).toEqual([['call f#1'], ['text'], ['call f#2'], ['result f#2']])
  })

  it('reads a response that is more than one text as its JSON, and an error as one', () => {
    const responses = [
      { output: 'a' },
      { error: 'b' },
      { error: { code: 1 } },
      { output: 'a', code: 0 },
      { output: { x: 1 } },
    ]
    const parts = responses.map((response) => ({ functionResponse: { name: 'f', response } }))
    const items = messagesOf({ parts })[0]!.items
    expect(items.map((item) => (item.kind === 'result' ? [item.status, item.text] : []))).toEqual([
      ['ok', 'a'],
      ['error', 'b'],
      ['error', '{"error":{"code":1}}'],
      ['ok', '{"output":"a","code":0}'],
      ['ok', '{"output":{"x":1}}'],
    ])
  })

  it('leaves code, unknown parts and bare signatures alone', () => {
    const parts = [
      { executableCode: { code: '1' } },
      { codeExecutionResult: { output: '1' } },
      { text: '', thoughtSignature: 's' },
      {},
    ]
    expect(messagesOf({ role: 'model', parts })).toEqual([
      {
        role: 'assistant',
        items: [
          {
            kind: 'marker',
            marker: 'executableCode',
            text: JSON.stringify(parts[0]),
            opaque: true,
          },
          {
            kind: 'marker',
            marker: 'codeExecutionResult',
            text: JSON.stringify(parts[1]),
            opaque: true,
          },
          { kind: 'reasoning', binding: 'opaque', text: 's' },
          { kind: 'marker', marker: 'unknown', text: '{}', opaque: true },
        ],
      },
    ])
  })
})
