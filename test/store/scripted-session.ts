import { createUnderstanding } from '../../src/actions/understand.ts'
import { createProtection } from '../../src/config/protection.ts'
import { resolveSettings } from '../../src/config/resolve.ts'
import { createEngine, type Engine } from '../../src/core/engine.ts'
import type { MessageDraft } from '../../src/core/words/item.ts'
import type { LedgerEntry } from '../../src/core/words/ledger.ts'
import { historiesOf, type LoadedSession } from '../../src/store/index.ts'

/** The first `turns` turns of a session that reads and edits two files over and over; its id decides what they hold. */
export function historyOf(id: string, turns: number): readonly MessageDraft[] {
  const drafts: MessageDraft[] = [
    { role: 'user', items: [{ kind: 'text', text: `please work on ${id}` }] },
  ]
  for (let turn = 0; turn < turns; turn++) {
    const file_path = `/app/src/file${turn % 2}.ts`
    const call = `call-${id}-${turn}`
    const isRead = turn % 4 < 2
    const line = (at: number): string => `const ${id.replaceAll('-', '_')}_${at} = ${at}`
    const input = isRead
      ? { file_path }
      : { file_path, old_string: line(turn % 20), new_string: `${line(turn % 20)} + ${turn}` }
    const read = Array.from({ length: 20 }, (_, at) => `${at + 1}\t${line(at)}`).join('\n')
    const tool = isRead ? 'Read' : 'Edit'
    drafts.push(
      { role: 'assistant', items: [{ kind: 'call', tool, call, text: JSON.stringify(input) }] },
      {
        role: 'tool',
        items: [
          { kind: 'result', tool, call, status: 'ok', text: isRead ? read : `edited ${file_path}` },
        ],
      },
    )
  }
  return drafts
}

/** Sessions that several processes share run under `acp`, which decides at once; all others as most users do. */
export function presetOf(id: string): 'acp' | 'balanced' {
  return id.startsWith('shared') ? 'acp' : 'balanced'
}

export function newEngine(id: string, ledger: readonly LedgerEntry[] = []): Engine {
  const settings = resolveSettings({ preset: presetOf(id) })
  return createEngine({
    restore: { tool: 'context_restore' },
    settings,
    understanding: () => createUnderstanding({ cwd: '/app', mappings: [] }),
    protection: createProtection(settings),
    ledger,
  })
}

/** The engine of a session that an earlier process left behind. */
export function resumedEngine(loaded: LoadedSession): Engine {
  const engine = newEngine(loaded.session.id, loaded.ledger)
  for (const history of historiesOf(loaded)) engine.record.append(history)
  return engine
}
