import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lines, only, type ToldCall, tell } from '../../../../test/engine/told-session.ts'
import { canonicalInput } from '../../words/call-key.ts'
import type { Settings } from '../../words/settings.ts'

const superseding = { enabled: true, mode: 'supersede', protectedTools: [] } as const
const pointing = { enabled: true, mode: 'pointer', protectedTools: [] } as const

function call(id: string, output: string, rest: Partial<ToldCall> = {}): ToldCall {
  return { id, tool: 'lookup', input: { name: 'a' }, output, ...rest }
}

function read(id: string, output = lines(1, 9)): ToldCall {
  return { id, tool: 'read', input: { filePath: 'a.ts' }, output }
}

const bash = (id: string, command: string, output: string): ToldCall => ({
  ...call(id, output),
  tool: 'bash',
  input: { command },
})

describe('the canonical form of an input', () => {
  it('sorts keys, drops null members and keeps the order of lists', () => {
    expect(canonicalInput('{ "b": [2, 1, null], "a": {"d": null, "c": "x"}, "e": null }')).toBe(
      '{"a":{"c":"x"},"b":[2,1,null]}',
    )
  })

  it('leaves text that is no JSON as it is', () => {
    expect(canonicalInput('*** Begin Patch\n')).toBe('*** Begin Patch\n')
  })

  it('takes no input for an empty one', () => {
    expect(canonicalInput('')).toBe(canonicalInput('{}'))
  })

  it.each(['git status', 'say "it" \\ twice', 'gr\u00fcn \u{1f7e2}', ''])(
    'is the same for one member however it is spelled: %s',
    (command) => {
      const spelled = JSON.stringify({ command }, null, 2)
      expect(canonicalInput(JSON.stringify({ command }))).toBe(canonicalInput(spelled))
    },
  )

  it('survives nesting deeper than the stack', () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000)
    expect(canonicalInput(deep)).toBe(deep)
  })

  it('does not depend on the order of keys, and gives itself back', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse())
        const form = canonicalInput(JSON.stringify(value))
        expect(canonicalInput(JSON.stringify(reversed))).toBe(form)
        expect(canonicalInput(form)).toBe(form)
      }),
    )
  })
})

describe('the same call again', () => {
  const settings = only({ deduplication: superseding })

  it('is another call when the tool is another', () => {
    const turns = [[call('a', lines(1, 9))], [call('b', lines(1, 9), { tool: 'inspect' })]]
    expect(tell(turns, settings).results).toEqual({})
  })

  it('strips the input of the older one when inputs are pruned', () => {
    const input = { name: 'a', text: lines(1, 9) }
    const turns = [[call('a', lines(1, 9), { input })], [call('b', lines(1, 9), { input })]]
    expect(tell(turns, { ...settings, pruneToolInputs: true }).inputs).toEqual({
      a: 'stripped input b',
    })
    expect(tell(turns, settings).inputs).toEqual({})
  })

  it('may be excepted by the name of its tool', () => {
    const turns = [[call('a', lines(1, 9))], [call('b', lines(1, 9))]]
    const excepted = { ...superseding, protectedTools: ['look*'] }
    expect(tell(turns, only({ deduplication: excepted })).results).toEqual({})
  })

  it('counts for reads too, as documented, and is decided once', () => {
    const turns = [[read('a')], [read('b')]]
    const { results, decisions } = tell(turns, { ...settings, files: 'one-view' })
    expect(results).toEqual({ a: 'superseded hash b' })
    expect(decisions).toHaveLength(1)
  })

  it('leaves reads and edits to a policy that keeps them', () => {
    const edit = (id: string): ToldCall => ({
      ...read(id),
      tool: 'edit',
      input: { filePath: 'a.ts', oldString: 'a', newString: 'b' },
    })
    const turns = [[read('a')], [edit('b')], [edit('c')], [read('d')]]
    for (const files of ['first-last', 'current-view'] as const) {
      const hashed = tell(turns, { ...settings, files }).decisions
      expect(hashed.filter(({ reason }) => reason === 'hash')).toEqual([])
    }
  })

  it('never hides an earlier part of a running command behind a later one', () => {
    const poll = (id: string, output: string): ToldCall => ({
      ...call(id, output),
      tool: 'write_stdin',
      input: { session_id: 1, chars: '' },
    })
    expect(tell([[poll('a', lines(1, 9))], [poll('b', lines(10, 19))]], settings).results).toEqual(
      {},
    )
  })

  it('never hides an answer of the user or of a subagent', () => {
    const twice = (tool: string, input: ToldCall['input']): readonly ToldCall[][] => [
      [call('a', lines(1, 9), { tool, input })],
      [call('b', lines(2, 9), { tool, input })],
    ]
    expect(tell(twice('AskUserQuestion', { question: 'Which?' }), settings).results).toEqual({})
    expect(tell(twice('task', { prompt: 'Look', description: '' }), settings).results).toEqual({})
  })

  it('takes a command that ended with an exit code for a failure, whatever the wire says', () => {
    const exec = (id: string, code: number): ToldCall => ({
      ...call(
        id,
        `Wall time: 1 seconds\nProcess exited with code ${code}\nOutput:\n${lines(1, 9)}`,
      ),
      tool: 'exec_command',
      input: { cmd: 'make check' },
    })
    expect(tell([[exec('a', 0)], [exec('b', 2)]], settings).results).toEqual({})
    expect(tell([[exec('a', 0)], [exec('b', 2)], [exec('c', 0)]], settings).results).toEqual({
      a: 'superseded hash c',
    })
  })

  it('does not let a cut result stand for a whole one', () => {
    const cut = `${lines(1, 3)}\n(Results are truncated. Consider a narrower search.)`
    const grep = (id: string, output: string): ToldCall => ({
      ...call(id, output),
      tool: 'grep',
      input: { pattern: 'x' },
    })
    expect(tell([[grep('a', lines(1, 9))], [grep('b', cut)]], settings).results).toEqual({})
    expect(tell([[grep('a', cut)], [grep('b', lines(1, 9))]], settings).results).toEqual({
      a: 'superseded hash b',
    })
  })
})

describe('a repetition as a pointer', () => {
  const settings = only({ deduplication: pointing })
  const text = lines(1, 9)

  it('points to the first of equal results, and leaves that one in full', () => {
    const turns = [[call('a', text)], [call('b', text)], [call('c', text)]]
    expect(tell(turns, settings).results).toEqual({
      b: 'pointer hash a',
      c: 'pointer hash a',
    })
  })

  it('hides the older when the result has changed, and points to the newest from then on', () => {
    const turns = [
      [call('a', text)],
      [call('b', text)],
      [call('c', lines(1, 8))],
      [call('d', lines(1, 8))],
    ]
    expect(tell(turns, settings).results).toEqual({
      a: 'superseded hash c',
      b: 'superseded hash c',
      d: 'pointer hash c',
    })
  })

  it('never points within one turn', () => {
    expect(tell([[call('a', text), call('b', text)]], settings).results).toEqual({})
  })

  it('does not point to what is shown in part', () => {
    const told = tell([[call('a', text)]], settings)
    const handle = told.engine.record.items.find((item) => item.kind === 'result')?.handle ?? ''
    const rendition = { how: 'truncated', text: 'cut' } as const
    expect(told.engine.ask(handle, { rendition, reason: 'agent', strategy: 'test' })).toBe(true)
    expect(
      tell([[call('a', text)], [call('b', text)]], settings, { engine: told.engine }).results,
    ).toEqual({ a: 'superseded hash b' })
  })

  it('keeps every other strategy from hiding what is pointed to', () => {
    const all: Partial<Settings> = {
      pruneSourceUrls: true,
      searchSupersede: true,
      stateQuerySupersede: true,
      pruneSnapshots: true,
    }
    const inputs: readonly Pick<ToldCall, 'tool' | 'input'>[] = [
      { tool: 'webfetch', input: { url: 'https://docs.test/a' } },
      { tool: 'grep', input: { pattern: 'x' } },
      { tool: 'bash', input: { command: 'git status' } },
      { tool: 'snapshot', input: {} },
    ]
    for (const same of inputs) {
      const turns = [[call('a', text, same)], [call('b', text, same)], [call('c', 'changed', same)]]
      expect(tell(turns.slice(0, 2), { ...settings, ...all }).results).toEqual({
        b: 'pointer hash a',
      })
      expect(tell(turns, { ...settings, ...all }).results).toEqual({
        a: 'superseded hash c',
        b: 'superseded hash c',
      })
    }
  })

  it('leaves files that a command prints to the file policy', () => {
    const turns = [[bash('a', 'cat a.ts', text)], [bash('b', 'cat a.ts', text)]]
    expect(tell(turns, { ...settings, files: 'overwrite' }).results).toEqual({})
    expect(tell(turns, settings).results).toEqual({ b: 'pointer hash a' })
  })

  it('compares results without what the agent put around them', () => {
    const exec = (id: string, seconds: number): ToldCall => ({
      ...call(id, `Wall time: ${seconds} seconds\nProcess exited with code 0\nOutput:\n${text}`),
      tool: 'exec_command',
      input: { cmd: 'git status' },
    })
    expect(tell([[exec('a', 0.1)], [exec('b', 0.2)]], settings).results).toEqual({
      b: 'pointer hash a',
    })
  })
})
