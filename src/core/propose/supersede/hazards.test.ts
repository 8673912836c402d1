import { describe, expect, it } from 'vitest'
import {
  engineFor,
  lines,
  messagesOf,
  only,
  outcomeOf,
  type ToldCall,
  tell,
} from '../../../../test/engine/told-session.ts'
import type { SupersedeKind } from '../../words/decision.ts'
import type { Settings } from '../../words/settings.ts'

/** Each kind alone: an older and a newer call about the same thing, and one about another thing. */
interface Kind {
  readonly kind: SupersedeKind
  readonly on: Partial<Settings>
  readonly older: Omit<ToldCall, 'id'>
  readonly newer: Omit<ToldCall, 'id'>
  readonly other: Omit<ToldCall, 'id'>
  /** Another part of the same thing; null where it has none. */
  readonly part: Omit<ToldCall, 'id'> | null
  /** True when the older call is about a file, and patterns may protect it. */
  readonly isAboutFile: boolean
}

const deduplication = { enabled: true, mode: 'supersede', protectedTools: [] } as const

const kinds: readonly Kind[] = [
  {
    kind: 'hash',
    on: { deduplication },
    older: { tool: 'lookup', input: '{"name":"a","deep":false}', output: lines(1, 9) },
    newer: { tool: 'lookup', input: '{"deep": false, "name": "a"}', output: lines(1, 8) },
    other: { tool: 'lookup', input: { name: 'b' }, output: lines(1, 9) },
    part: { tool: 'lookup', input: { name: 'a', deep: false, page: 2 }, output: lines(1, 8) },
    isAboutFile: false,
  },
  {
    kind: 'file',
    on: { files: 'one-view' },
    older: { tool: 'read', input: { filePath: 'a.ts' }, output: lines(1, 9) },
    newer: {
      tool: 'edit',
      input: { filePath: 'a.ts', oldString: 'line 1', newString: 'line one' },
      output: 'Edit applied.',
    },
    other: {
      tool: 'edit',
      input: { filePath: 'b.ts', oldString: 'line 1', newString: 'line one' },
      output: 'Edit applied.',
    },
    part: {
      tool: 'read',
      input: { filePath: 'a.ts', offset: 40, limit: 9 },
      output: lines(40, 48),
    },
    isAboutFile: true,
  },
  {
    kind: 'todo',
    on: { todoSupersede: true },
    older: { tool: 'todowrite', input: { todos: [{ content: 'One' }] }, output: lines(1, 5) },
    newer: { tool: 'todowrite', input: { todos: [{ content: 'Two' }] }, output: lines(1, 5) },
    other: { tool: 'todoread', input: {}, output: lines(1, 5) },
    part: null,
    isAboutFile: false,
  },
  {
    kind: 'url',
    on: { pruneSourceUrls: true },
    older: { tool: 'webfetch', input: { url: 'https://Docs.test:443/a/#b' }, output: lines(1, 9) },
    newer: { tool: 'webfetch', input: { url: 'https://docs.test/a' }, output: lines(1, 8) },
    other: { tool: 'webfetch', input: { url: 'https://docs.test/b' }, output: lines(1, 8) },
    part: { tool: 'webfetch', input: { url: 'https://docs.test/a?page=2' }, output: lines(1, 8) },
    isAboutFile: false,
  },
  {
    kind: 'search',
    on: { searchSupersede: true },
    older: { tool: 'grep', input: { pattern: 'x', path: 'src' }, output: lines(1, 9) },
    newer: { tool: 'grep', input: { path: 'src', pattern: 'x' }, output: lines(1, 8) },
    other: { tool: 'grep', input: { pattern: 'x', path: 'test' }, output: lines(1, 8) },
    part: { tool: 'grep', input: { pattern: 'x', path: 'src', include: '*.md' }, output: 'a.md' },
    isAboutFile: true,
  },
  {
    kind: 'query',
    on: { stateQuerySupersede: true },
    older: { tool: 'bash', input: { command: 'ls  -la src' }, output: lines(1, 9) },
    newer: { tool: 'bash', input: { command: 'ls -la src', description: 'Again' }, output: 'a.ts' },
    other: { tool: 'bash', input: { command: 'ls -la test' }, output: lines(1, 8) },
    part: { tool: 'bash', input: { command: 'ls -la src/parts' }, output: 'b.ts' },
    isAboutFile: false,
  },
  {
    kind: 'snapshot',
    on: { pruneSnapshots: true },
    older: { tool: 'snapshot', input: { filePath: 'a.ts' }, output: lines(1, 9) },
    newer: { tool: 'mcp__page__snapshot', input: { path: './a.ts' }, output: lines(1, 8) },
    other: { tool: 'snapshot', input: { filePath: 'b.ts' }, output: lines(1, 8) },
    part: null,
    isAboutFile: true,
  },
  {
    kind: 'retry',
    on: { pruneRetryParts: true },
    older: { tool: 'build', input: { target: 'a' }, output: lines(1, 9), status: 'error' },
    newer: { tool: 'build', input: { target: 'a' }, output: 'done' },
    other: { tool: 'build', input: { target: 'b' }, output: 'done' },
    part: { tool: 'build', input: { target: 'a', part: 2 }, output: 'done' },
    isAboutFile: false,
  },
  {
    kind: 'context',
    on: { contextSupersede: true },
    older: { tool: 'context_info', input: {}, output: lines(1, 9) },
    newer: { tool: 'context_info', input: {}, output: lines(1, 8) },
    other: { tool: 'lookup', input: {}, output: lines(1, 8) },
    part: null,
    isAboutFile: false,
  },
]

const cleared = '[Old tool result content cleared]'

describe.each(kinds)('supersession by $kind', (told) => {
  const { kind, on, older, newer, other, part, isAboutFile } = told
  const settings = only(on)
  const first: ToldCall = { id: 'older', ...older }
  const second: ToldCall = { id: 'newer', ...newer }
  const another: ToldCall = { id: 'other', ...other }
  const replaced = { older: `superseded ${kind} newer` }

  it('hides the older behind the newer', () => {
    expect(tell([[first], [second]], settings).results).toEqual(replaced)
  })

  it('leaves everything alone when its key is off', () => {
    expect(tell([[first], [second]], only({})).results).toEqual({})
  })

  it('leaves what is about something else alone', () => {
    expect(tell([[first], [another]], settings).results).toEqual({})
  })

  it('never works within one turn, and still does afterwards', () => {
    const again = { ...second, id: 'again' }
    expect(tell([[first, second]], settings).results).toEqual({})
    expect(tell([[first, second], [again]], settings).results.older).toBe(
      `superseded ${kind} again`,
    )
  })

  it('hides all of several parallel calls', () => {
    const twin = { ...first, id: 'twin' }
    expect(tell([[first, twin], [second]], settings).results).toEqual({
      ...replaced,
      twin: `superseded ${kind} newer`,
    })
  })

  it('waits for a running call on either side', () => {
    const running = { status: 'running' } as const
    expect(tell([[{ ...first, ...running }], [second]], settings).results).toEqual({})
    expect(tell([[first], [{ ...second, ...running }]], settings).results).toEqual({})
  })

  it('takes no failed call for the newer truth', () => {
    expect(tell([[first], [{ ...second, status: 'error' }]], settings).results).toEqual({})
  })

  // A retry replaces failures; that is what it is for.
  if (kind !== 'retry') {
    it('leaves failed calls to retry', () => {
      expect(tell([[{ ...first, status: 'error' }], [second]], settings).results).toEqual({})
    })
  }

  it('leaves protected tools alone', () => {
    const protection = { tool: (name: string) => name === older.tool, file: () => false }
    expect(tell([[first], [second]], settings, { protection }).results).toEqual({})
  })

  it('leaves files of a protected pattern alone, and is not held up where there is no file', () => {
    const protection = { tool: () => false, file: () => true }
    const { results } = tell([[first], [second]], settings, { protection })
    expect(results).toEqual(isAboutFile ? {} : replaced)
  })

  if (part !== null) {
    it('leaves another part of the same thing alone', () => {
      expect(tell([[first], [{ id: 'part', ...part }]], settings).results).toEqual({})
      expect(tell([[{ id: 'part', ...part }], [second]], settings).results.part).toBe(
        kind === 'file' ? `superseded file newer` : undefined,
      )
    })
  }

  it('leaves another tool with the same input alone', () => {
    const annotated = { ...second, id: 'annotated', tool: 'annotate', input: older.input }
    expect(tell([[first], [annotated]], settings).results).toEqual({})
  })

  it('waits until the protected turns have passed', () => {
    const careful = { ...settings, turnProtection: 3 }
    expect(tell([[first], [second], []], careful).results).toEqual({})
    expect(tell([[first], [second], [], []], careful).results).toEqual(replaced)
  })

  it('decides once, and in a chain', () => {
    const newest = { ...second, id: 'newest', output: `${newer.output}!` }
    const { results, decisions } = tell([[first], [second], [newest], []], settings)
    expect(results.older).toBe(`superseded ${kind} newer`)
    const about = decisions.filter(({ rendition }) => rendition.how === 'superseded')
    expect(new Set(about.map(({ item }) => item)).size).toBe(about.length)
  })

  it('does not decide again about what someone wanted back', () => {
    const told = tell([[first], [second]], settings)
    const handle = told.decisions[0]?.handle ?? ''
    expect(told.engine.undo(handle)).toBe(true)
    told.engine.request(messagesOf([[first], [second], [{ ...second, id: 'again' }]]))
    expect(outcomeOf(told.engine).results.older).toBeUndefined()
  })

  it('starts from the fork in a forked history', () => {
    const engine = engineFor(settings)
    tell([[first], [second]], settings, { engine })
    engine.request(messagesOf([[first], [another]]))
    expect(outcomeOf(engine).results).toEqual({})
    engine.request(messagesOf([[first], [another], [{ ...second, id: 'forked' }]]))
    expect(outcomeOf(engine).results.older).toBe(`superseded ${kind} forked`)
  })

  it('leaves alone what the agent itself has cleared', () => {
    expect(tell([[{ ...first, output: cleared }], [second]], settings).results).toEqual({})
  })

  // A change, a list and a success are told by their inputs, whatever became of their results.
  if (!['file', 'todo', 'retry'].includes(kind)) {
    it('hides nothing behind what the agent has cleared', () => {
      expect(tell([[first], [{ ...second, output: cleared }]], settings).results).toEqual({})
    })
  }

  it('forgets what the agent has compacted away', () => {
    const engine = engineFor(settings)
    engine.request(messagesOf([[first], [another]]))
    engine.request(messagesOf([[another], [second]]))
    expect(outcomeOf(engine).results.older).toBeUndefined()
  })

  it('keeps the calls of a subagent apart from those of its parent', () => {
    const task: ToldCall = {
      id: 'task',
      tool: 'task',
      input: { description: 'Do it', prompt: `Call ${newer.tool}` },
      output: lines(1, 9),
    }
    const parent = tell([[first], [task]], settings)
    const child = tell([[second]], settings)
    parent.engine.request(messagesOf([[first], [task], []]))
    expect([outcomeOf(parent.engine).results, child.results]).toEqual([{}, {}])
  })

  it('decides the same however many requests come at once', () => {
    const turns = [[first], [another], [second], [{ ...first, id: 'last' }]]
    const atOnce = engineFor(settings)
    atOnce.request(messagesOf(turns))
    expect(outcomeOf(atOnce).decisions).toEqual(tell(turns, settings).decisions)
  })
})
