import { describe, expect, it } from 'vitest'
import { anthropic } from '../formats/anthropic/index.ts'
import { createEngine, fileStateAt } from '../index.ts'
import session from './cline-session.json' with { type: 'json' }
import { actionOf, readResult } from './index.ts'

/** What Cline 3.0.65 answered to calls of its tools. */
const calls = session.map(({ tool, input }) => actionOf({ tool, text: JSON.stringify(input) }))
const poem = '/home/ada/my project/poem.txt'

/** The session as Cline sends it, up to the result of a call. */
function body(length: number): string {
  const turns = session.slice(0, length).flatMap(({ tool: name, input, result }, index) => {
    const id = `toolu_${index}`
    return [
      { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] },
    ]
  })
  const messages = [{ role: 'user', content: 'Look after my poem.' }, ...turns]
  return JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 1024, messages })
}

function play() {
  const engine = createEngine({ preset: 'balanced' })
  for (let length = 0; length <= session.length; length++)
    engine.request(anthropic.read(body(length)).messages)
  return engine
}

describe('the tools of Cline', () => {
  it('are understood by name', () => {
    const whole = { kind: 'read', path: poem, lines: null }
    expect(calls).toMatchObject([
      { kind: 'write', path: poem, content: 'one\ntwo\nthree\n' },
      whole,
      { kind: 'edit', edits: [{ kind: 'insert', afterLine: 1, text: 'inserted' }] },
      { kind: 'edit', edits: [{ kind: 'replace', oldText: 'three', newText: '“3”' }] },
      { kind: 'edit' },
      { kind: 'write' },
      { kind: 'read', path: poem, lines: { start: 2, end: 3 } },
      { kind: 'other' },
      { kind: 'read' },
      { kind: 'shell', command: 'cat poem.txt\nexit 3' },
      { kind: 'shell', reads: [{ path: 'poem.txt', exact: true }] },
      { kind: 'search', pattern: 'two\nabsent' },
      { kind: 'fetch', url: 'http://127.0.0.1:1/page' },
      whole,
    ])
  })

  it('leave the file as it is known after each call, also after calls that failed', () => {
    const engine = play()
    const texts = session.map((_, index) => fileStateAt(engine, poem, index + 1).text)
    const [first, , inserted, edited] = texts
    expect(first).toBe('one\ntwo\nthree\n')
    expect(inserted).toBe('one\ninserted\ntwo\nthree\n')
    expect(edited).toBe('one\ninserted\ntwo\n“3”\n')
    expect(new Set(texts.slice(3))).toEqual(new Set([edited]))
  })

  it('fail where their answer says so, although the result has no such mark', () => {
    const engine = play()
    const states = engine.record.items.flatMap((item) => {
      const operation = item.kind === 'call' ? engine.operationOf(item) : undefined
      return operation === undefined ? [] : [operation.status]
    })
    const failed = states.flatMap((status, index) => (status === 'error' ? [index] : []))
    expect(failed).toEqual([4, 5, 7, 8, 9, 12])
  })

  it('show lines of a file without their numbers, and what a command printed', () => {
    const readings = calls.map((action, index) => {
      const { tool, result } = session[index]!
      return readResult(action, { tool }, result)
    })
    const lines = ['one', 'inserted', 'two', '“3”']
    expect(readings[6]?.lines).toEqual({ first: 2, lines: ['inserted', 'two'] })
    expect(readings[13]?.lines).toEqual({ first: 1, lines })
    expect(readings[10]?.lines).toEqual({ first: 1, lines })
    expect(readings[9]).toMatchObject({
      body: `${lines.join('\n')}\n\n[Command exited with code 3]`,
      lines: null,
      exitCode: 3,
    })
  })
})
