import { isJsonObject } from '../core/words/json.ts'
import type { HostClient } from './host.ts'

/** Which conversation started which. */
export interface Parents {
  of(id: string): Promise<string | null>
  /** Takes note of a new conversation. The host announces it before its first request. */
  learn(event: unknown): void
}

export function createParents(client: HostClient): Parents {
  const known = new Map<string, string | null>()

  function note(info: unknown): void {
    if (!isJsonObject(info) || typeof info.id !== 'string') return
    known.set(info.id, typeof info.parentID === 'string' ? info.parentID : null)
  }

  return {
    async of(id) {
      if (!known.has(id)) {
        try {
          note((await client.session.get({ path: { id } })).data)
        } catch {
          // The host does not know it: it counts as a conversation of its own.
        }
      }
      return known.get(id) ?? null
    },
    learn(event) {
      if (!isJsonObject(event) || event.type !== 'session.created') return
      note(isJsonObject(event.properties) ? event.properties.info : undefined)
    },
  }
}
