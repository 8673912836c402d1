import { describe, expect, it } from 'vitest'
import { createUnderstanding } from '../../actions/understand.ts'
import { resolveSettings } from '../../config/resolve.ts'
import { createEngine } from '../engine.ts'
import type { MessageDraft } from '../words/item.ts'

const names = Array.from({ length: 12 }, (_, at) => `part${at}.md`)
const text = (name: string): string =>
  Array.from(
    { length: 40 },
    (_, line) => `${line + 1}\t${name} says something in line ${line}`,
  ).join('\n')

function turn(id: string, tool: string, input: object, output: string): readonly MessageDraft[] {
  return [
    { role: 'assistant', items: [{ kind: 'call', tool, call: id, text: JSON.stringify(input) }] },
    { role: 'tool', items: [{ kind: 'result', tool, call: id, status: 'ok', text: output }] },
  ]
}

/** The files that left the page for want of room, when the task list has this task. */
function leftWith(task: string): readonly string[] {
  const settings = resolveSettings({ preset: 'balanced', turnProtection: 0 })
  const engine = createEngine({
    restore: { tool: 'context_restore' },
    settings: { ...settings, contextLimit: 6_000 },
    understanding: () => createUnderstanding({ cwd: '/app' }),
  })
  const todos = [{ content: task, status: 'pending', activeForm: task }]
  const messages: MessageDraft[] = [
    { role: 'user', items: [{ kind: 'text', text: 'go' }] },
    ...turn('list', 'TodoWrite', { todos }, 'ok'),
  ]
  let left: readonly string[] = []
  names.forEach((name, at) => {
    messages.push(...turn(name, 'Read', { file_path: `/app/${name}` }, text(name)))
    const { changes } = engine.request(messages, undefined, {
      at: at * 60_000,
      model: 'claude-opus-4-5',
    })
    left = changes
      .filter(({ decision }) => decision.reason === 'pressure')
      .flatMap(({ message, item }) => {
        const draft = messages[message]?.items[item]
        return draft?.kind === 'result' ? [draft.call] : []
      })
  })
  return left
}

describe('under pressure', () => {
  const unmarked = leftWith('Read them all')

  it('the oldest of one rank go first', () => {
    expect(unmarked.length).toBeGreaterThan(1)
    expect(unmarked).toEqual(names.slice(0, unmarked.length))
  })

  it.each(['🔴', '🟡'])('what a %s task names stays while others can go', (mark) => {
    const left = leftWith(`${mark} Finish part0.md`)
    expect(left.length).toBeGreaterThan(0)
    expect(left).not.toContain('part0.md')
  })

  it('what a 🔵 task names goes before what is older', () => {
    const named = names[unmarked.length + 1] as string
    expect(unmarked).not.toContain(named)
    expect(leftWith(`🔵 Some time look at ${named}`)).toContain(named)
  })
})
