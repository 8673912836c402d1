import { describe, expect, it } from 'vitest'
import { createUnderstanding } from '../../../actions/understand.ts'
import type { ConfigFile } from '../../../config/config.ts'
import { resolveSettings } from '../../../config/resolve.ts'
import { createEngine } from '../../engine.ts'
import type { Anchor } from '../../record/branches.ts'
import type { MessageDraft } from '../../words/item.ts'

/** Visits per turn over the first and over the last turns of a session that looks at one file in ever new places. */
function visits(config: ConfigFile): { readonly early: number; readonly late: number } {
  const engine = createEngine({
    restore: { tool: 'context_restore' },
    settings: resolveSettings(config),
    understanding: () => createUnderstanding({ cwd: '/app' }),
  })
  const messages: MessageDraft[] = [{ role: 'user', items: [{ kind: 'text', text: 'go' }] }]
  let since: Anchor | undefined
  const counts: number[] = []
  for (let n = 0; n < 400; n++) {
    const first = 1 + n * 20
    const lines = Array.from({ length: 20 }, (_, at) => `${first + at}\tconst v = ${first + at}`)
    const call = `c${n}`
    const isRead = n % 4 !== 3
    const input = isRead
      ? { file_path: '/app/a.ts', offset: first, limit: 20 }
      : { file_path: '/app/a.ts', old_string: `const v = ${first - 5}`, new_string: `let v = ${n}` }
    const tool = isRead ? 'Read' : 'Edit'
    const text = isRead ? lines.join('\n') : 'ok'
    messages.push(
      { role: 'assistant', items: [{ kind: 'call', tool, call, text: JSON.stringify(input) }] },
      { role: 'tool', items: [{ kind: 'result', tool, call, status: 'ok', text }] },
    )
    since = engine.request(messages, since).anchor
    counts.push(engine.itemsVisited)
  }
  const per = (from: number, to: number): number =>
    ((counts[to] ?? 0) - (counts[from] ?? 0)) / (to - from)
  return { early: per(100, 200), late: per(299, 399) }
}

describe('the work of a turn does not grow with the session', () => {
  for (const files of ['current-view', 'first-last', 'one-view'] as const) {
    it(`under ${files}`, () => {
      const { early, late } = visits({ preset: 'balanced', files })
      expect(early).toBeGreaterThan(0)
      expect(late).toBeLessThanOrEqual(early * 1.05)
    })
  }
})
