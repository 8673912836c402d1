import { describe, expect, it } from 'vitest'
import { engineFor, messagesOf, only, type ToldTurn } from '../../test/engine/told-session.ts'
import { createDecidedItems } from './decided-items.ts'
import { logLine } from './log-lines.ts'

const text = 'a line of some length that is there to be looked at\n'.repeat(10)
const call = (
  id: string,
  tool: string,
  input: Readonly<Record<string, unknown>>,
  status?: 'error',
): ToldTurn => [{ id, tool, input, output: text, ...(status && { status }) }]

const settings = only({
  files: 'one-view',
  deduplication: { enabled: true, mode: 'supersede', protectedTools: ['webfetch', 'grep', 'bash'] },
  todoSupersede: true,
  pruneSourceUrls: true,
  searchSupersede: true,
  stateQuerySupersede: true,
  pruneSnapshots: true,
  pruneRetryParts: true,
  contextSupersede: true,
  purgeErrors: { enabled: true, turns: 2, protectedTools: [] },
})

/** The log of a session, with every handle written as its place in the record. */
function logOf(turns: readonly ToldTurn[]): readonly string[] {
  const engine = engineFor(settings)
  const decided = createDecidedItems()
  const lines: string[] = []
  for (let told = 0; told <= turns.length; told++) {
    const request = engine.request(messagesOf(turns.slice(0, told)))
    for (const each of decided.observe(engine, request)) {
      lines.push(logLine(each, engine).replaceAll(each.decision.handle, 'HANDLE'))
    }
  }
  return lines
}

describe('the log', () => {
  it('names the item by its handle, and the calls, when a call was repeated', () => {
    const same = { question: 'what' }
    expect(logOf([call('c1', 'lookup', same), call('c2', 'lookup', same)])).toEqual([
      '[auto-supersede] 🔄 hash HANDLE: c1 → c2',
    ])
  })

  it('names the file, what was done to it, and by what it was replaced', () => {
    const read = call('c1', 'read', { filePath: '/p/a.ts' })
    const write = call('c2', 'write', { filePath: '/p/a.ts', content: 'new' })
    const edit = call('c3', 'edit', { filePath: '/p/a.ts', oldString: 'new', newString: 'newer' })
    expect(logOf([read, write, edit])).toEqual([
      '[auto-supersede] 📁 file /p/a.ts: read c1 superseded by write',
      '[auto-supersede] 📁 file /p/a.ts: write c2 superseded by edit',
    ])
  })

  it('names the tool of an old task list', () => {
    const list = (id: string): ToldTurn => call(id, 'todowrite', { todos: [{ content: id }] })
    expect(logOf([list('c1'), list('c2')])).toEqual([
      '[auto-supersede] ✅ todo: pruned old todowrite c1',
    ])
  })

  it('names what each of the other kinds is about', () => {
    const twice = (
      tool: string,
      input: Readonly<Record<string, unknown>>,
      first?: 'error',
    ): readonly string[] => logOf([call('c1', tool, input, first), call('c2', tool, input)])
    expect([
      ...twice('webfetch', { url: 'HTTPS://Example.org/a/#top' }),
      ...twice('grep', { pattern: 'x', path: '/p', include: '*.ts' }),
      ...twice('bash', { command: 'git  status' }),
      ...twice('bash', { command: 'make' }, 'error'),
    ]).toEqual([
      '[auto-supersede] 🔗 url https://example.org/a: c1 → c2',
      '[auto-supersede] 🔎 search grep:/p:x:*.ts: c1 → c2',
      '[auto-supersede] 📊 query git status: c1 → c2',
      '[auto-supersede] 🔁 retry $ make: c1 → c2',
    ])
  })

  it('names the strategy of everything else', () => {
    const [line, ...others] = logOf([call('c1', 'bash', { command: 'make' }, 'error'), [], [], []])
    expect(line).toMatch(/^\[prune\] purgeErrors HANDLE: bash c1 \w+, ~\d+ saved$/)
    expect(others).toEqual([])
  })
})
