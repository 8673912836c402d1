import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/words/json.ts'
import { type ModelRequest, modelRequest } from './api.ts'
import { parseScenario } from './scenario.ts'
import { createScript } from './script.ts'

function chat(body: JsonObject): ModelRequest {
  return modelRequest({ api: 'openai-chat', purpose: 'answer' }, { model: 'm', ...body })
}

const withTools = chat({ tools: [{ type: 'function', function: { name: 'bash' } }] })
const withoutTools = chat({ messages: [{ role: 'user', content: 'A title, please' }] })

describe('a script', () => {
  it('gives its turns in order, and its last words from then on', () => {
    const script = createScript({ turns: [{ text: 'one' }, { text: 'two' }], last: 'over' })
    const cues = [1, 2, 3, 4].map(() => script.cue(withTools, ''))
    expect(cues).toEqual([
      { kind: 'turn', turn: 0, say: { text: 'one' } },
      { kind: 'turn', turn: 1, say: { text: 'two' } },
      { kind: 'exhausted', say: { text: 'over' } },
      { kind: 'exhausted', say: { text: 'over' } },
    ])
    expect(script.remaining()).toBe(0)
  })

  it('answers requests without tools beside the turns', () => {
    const script = createScript({ turns: [{ text: 'one' }], aux: 'A title' })
    expect(script.cue(withoutTools, '')).toEqual({ kind: 'aux', say: { text: 'A title' } })
    expect(script.remaining()).toBe(1)
  })

  it('answers in the schema that such a request demands', () => {
    const schema = { type: 'object', properties: { title: { type: 'string' } } }
    const request = chat({ response_format: { type: 'json_schema', json_schema: { schema } } })
    const script = createScript({ turns: [], aux: 'A title' })
    expect(script.cue(request, '').say).toEqual({ text: '{"title":"A title"}' })
  })

  it('answers what a special matches, in its own order, and repeats the last', () => {
    const script = createScript({
      turns: [{ text: 'one' }],
      specials: [
        { match: 'compact', turns: [{ text: 'summary' }] },
        { firstUser: 'title', turns: [{ text: 'a' }, { text: 'b' }] },
      ],
    })
    expect(script.cue(withTools, 'please compact')).toMatchObject({ special: 0 })
    const texts = [1, 2, 3].map(() => script.cue(withoutTools, '').say.text)
    expect(texts).toEqual(['a', 'b', 'b'])
    expect(script.cue(withTools, '')).toMatchObject({ kind: 'turn', turn: 0 })
  })
})

describe('a scenario', () => {
  it('knows where the project is', () => {
    const turns = [{ operations: [{ kind: 'read', path: '{project}/a.ts' }] }]
    expect(parseScenario({ turns }, '/a "quoted" place').turns).toEqual([
      { operations: [{ kind: 'read', path: '/a "quoted" place/a.ts' }] },
    ])
  })

  it('is refused with the place of what nobody understands', () => {
    const turns = [{ text: 'fine' }, { operations: [{ kind: 'dance' }] }]
    expect(() => parseScenario({ turns })).toThrow('turns.1.operations.0 has no known kind')
    expect(() => parseScenario([])).toThrow('a scenario is an object with a list of turns')
  })
})
