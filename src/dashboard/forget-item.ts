import { plural } from '../core/render/counts.ts'
import { forgetInExports } from '../mcp/exported-files.ts'
import { forgetInSessions } from '../memory/forget/forget-sessions.ts'
import type { Memory } from '../memory/memory.ts'
import { forget } from '../memory/operations/forget.ts'
import type { Removal } from '../memory/operations/operation.ts'
import { noteInAudit } from '../store/audit-log.ts'
import type { Store } from '../store/index.ts'
import type { ForgetResult } from './types.ts'

export interface ForgetParts {
  readonly memory: Memory
  readonly store: Store
  /** The user's folder, which has the audit log and the list of exports. */
  readonly home: string | undefined
}

/**
 * Forgets a memory item everywhere, as `palimpsest memory forget` does; without `isDone` it only says what would be
 * removed.
 */
export async function forgetItem(
  { memory, store, home }: ForgetParts,
  id: string,
  { isDone }: { readonly isDone: boolean },
): Promise<ForgetResult> {
  let removal: Removal | null = null
  const gone = { sessions: 0, files: 0, left: 0 }
  const result = await forget.run(
    { ids: [id] },
    {
      memory,
      place: { project: '', session: 'dashboard' },
      caller: 'person',
      async consent(asked) {
        removal = asked
        const at = new Date(memory.now()).toISOString()
        const { action, ids } = asked
        if (isDone) noteInAudit(home, { at, action, door: 'dashboard', consent: 'asked', ids })
        return isDone
      },
      async forgetInSessions(target) {
        const changed = await forgetInSessions(store, target)
        gone.sessions = changed.length
        return changed
      },
      forgetInExports(target) {
        const forgotten = forgetInExports(memory, home, target)
        gone.files = forgotten.changed.length
        gone.left = forgotten.left.length
        return forgotten
      },
    },
  )
  const asked = removal as Removal | null
  const items = asked?.ids.length ?? 0
  const copies = [
    { where: 'memory items', count: items },
    ...(isDone ? [{ where: 'sessions', count: gone.sessions }] : []),
    ...(isDone ? [{ where: 'exported files', count: gone.files }] : []),
  ]
  if (result === null) return { ok: false, message: asked?.detailedQuestion ?? '', copies }
  const left = gone.left === 0 ? '' : ` ${plural(gone.left, 'exported file')} could not be changed.`
  return { ok: true, message: `Forgotten for good.${left}`, copies }
}
