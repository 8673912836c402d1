import { Buffer } from 'node:buffer'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detectBodyFormat } from './index.ts'

describe('the format of a body', () => {
  it.each([
    ['/v1/messages?beta=true', 'anthropic'],
    ['/api/anthropic/v1/messages/count_tokens', 'anthropic'],
    ['/v1/chat/completions', 'openai-chat'],
    ['/openai/deployments/x/chat/completions?api-version=1', 'openai-chat'],
    ['/v1/responses', 'openai-responses'],
    ['/v1/responses/compact', 'openai-responses'],
    ['/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse', 'gemini'],
    ['/v1/messages/batches', null],
    ['/v1/embeddings', null],
    ['/', null],
  ])('at %s is %s', (path, format) => {
    expect(detectBodyFormat('{"messages":[]}', path)).toBe(format)
  })

  it.each([
    [{ contents: [{ parts: [{ text: 'x' }] }] }, 'gemini'],
    [{ input: 'x' }, 'openai-responses'],
    [{ input: [{ type: 'reasoning' }] }, 'openai-responses'],
    [{ system: 'x', messages: [] }, 'anthropic'],
    [{ messages: [{ role: 'user', content: [{ type: 'tool_result' }] }] }, 'anthropic'],
    [{ messages: [], tools: [{ name: 'x', input_schema: {} }] }, 'anthropic'],
    [{ model: 'claude-x', max_tokens: 1, messages: [{ role: 'user', content: 'x' }] }, 'anthropic'],
    [{ messages: [], tools: [{ type: 'function', function: {} }] }, 'openai-chat'],
    [{ messages: [{ role: 'system', content: 'x' }] }, 'openai-chat'],
    [{ messages: [{ role: 'assistant', tool_calls: [] }] }, 'openai-chat'],
    [{ model: 'anthropic/claude-x', messages: [{ role: 'user', content: 'x' }] }, 'openai-chat'],
    [{ prompt: 'x' }, null],
    [[], null],
  ])('without a path, %j is %s', (body, format) => {
    expect(detectBodyFormat(JSON.stringify(body))).toBe(format)
    expect(detectBodyFormat(Buffer.from(JSON.stringify(body)))).toBe(format)
  })

  it('is null for anything else, and never an exception', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.uint8Array(), fc.json()), (body) => {
        expect(detectBodyFormat(body)).toBeNull()
      }),
    )
    expect(detectBodyFormat('{"\\x":1}')).toBeNull()
    expect(detectBodyFormat('{"messages":[')).toBeNull()
  })
})
