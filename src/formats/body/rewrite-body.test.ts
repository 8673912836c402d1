import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { anthropic } from '../anthropic/index.ts'
import type { ItemChange } from '../format.ts'
import { gemini } from '../gemini/index.ts'
import { openaiChat } from '../openai-chat/index.ts'
import { openaiResponses } from '../openai-responses/index.ts'

/** An Anthropic body with one message of these blocks. */
const body = (...blocks: readonly string[]): string =>
  `{"messages":[{"role":"assistant","content":[${blocks.join(' , ')}]}]}`

const first = (item: number, text: string | null): ItemChange => ({ message: 0, item, text })

describe('rewriting a body', () => {
  it('removes reasoning at the start, in the middle and at the end, but not all that there is', () => {
    const blocks = ['a', 'b', 'c'].map((text) => `{"type":"thinking","thinking":"${text}"}`)
    const read = anthropic.read(body(...blocks))
    const { source, refused } = anthropic.rewrite(read, [
      first(0, null),
      first(2, null),
      first(1, null),
    ])
    expect(source).toBe(body(blocks[1]!))
    expect(refused).toEqual([{ change: first(1, null), reason: 'the message would become empty' }])
  })

  it('keeps the client’s cache marker when the block that had it goes', () => {
    const marked = '{"type":"text","text":"b","cache_control":{"type": "ephemeral"}}'
    const result = (...texts: readonly string[]): string =>
      body(`{"type":"tool_result","tool_use_id":"t","content":[${texts.join(',')}]}`)
    const read = anthropic.read(result('{"type":"text","text":"a"}', marked))
    expect(anthropic.rewrite(read, [first(0, 'c')]).source).toBe(
      result('{"type":"text","text":"c","cache_control":{"type": "ephemeral"}}'),
    )
  })

  it('leaves the spelling alone when the text is what it was', () => {
    const source = body('{"type":"text","text":"\\u0041"}')
    const rewritten = anthropic.rewrite(anthropic.read(source), [first(0, 'A')])
    expect(rewritten).toEqual({ source, refused: [] })
  })

  it('writes into the member that counts when a key is there twice', () => {
    const source = '{"messages":[{"role":"user","content":"old","content":"new"}]}'
    expect(anthropic.rewrite(anthropic.read(source), [first(0, 'x')]).source).toBe(
      '{"messages":[{"role":"user","content":"old","content":"x"}]}',
    )
  })

  it('removes a member that is there twice as a whole', () => {
    const source =
      '{"messages":[{"reasoning_content":"a","role":"assistant","reasoning_content":"b","content":"c"}]}'
    expect(openaiChat.rewrite(openaiChat.read(source), [first(0, null)]).source).toBe(
      '{"messages":[{"role":"assistant","content":"c"}]}',
    )
  })

  it('keeps half a surrogate pair through bytes', () => {
    const call = '{"type":"tool_use","id":"a","name":"b","input":{}}'
    const read = anthropic.read(Buffer.from(body('{"type":"text","text":"x"}', call)))
    const input = `{"path":"${'\ud800'}"}`
    const { source, refused } = anthropic.rewrite(read, [first(0, 'y\udc00'), first(1, input)])
    expect(refused).toEqual([])
    expect(anthropic.read(source).messages[0]!.items).toEqual([
      { kind: 'text', text: 'y\udc00' },
      { kind: 'call', tool: 'b', call: 'a', text: '{"path":"\\ud800"}' },
    ])
  })

  it('never leaves a Responses conversation without items', () => {
    const source =
      '{"input":[{"type":"reasoning","summary":[],"encrypted_content":"a"} ,{"type":"reasoning","summary":[],"encrypted_content":"b"}]}'
    const { source: after, refused } = openaiResponses.rewrite(openaiResponses.read(source), [
      first(1, null),
      first(0, null),
    ])
    expect(after).toBe('{"input":[{"type":"reasoning","summary":[],"encrypted_content":"a"}]}')
    expect(refused).toHaveLength(1)
  })

  it('rewrites an input that is a plain string', () => {
    const read = openaiResponses.read('{"input": "go" }')
    expect(openaiResponses.rewrite(read, [first(0, 'stop')]).source).toBe('{"input": "stop" }')
  })

  it('does not touch a Gemini part that carries a thought signature', () => {
    const parts = [
      { functionCall: { name: 'f', args: {} }, thoughtSignature: 's' },
      { text: 'x', thoughtSignature: 's' },
    ]
    const source = JSON.stringify({ contents: [{ role: 'model', parts }] })
    const changes = [first(0, '{"a":1}'), first(1, 'y')]
    const rewritten = gemini.rewrite(gemini.read(source), changes)
    expect(rewritten.source).toBe(source)
    expect(rewritten.refused.map(({ change }) => change)).toEqual(changes)
  })
})
