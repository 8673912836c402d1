import { isJsonObject } from '../core/words/json.ts'
import type { HostClient } from './host.ts'

/** Which conversation started which. */
export interface Parents {
  of(id: string): Promise<string | null>
  /** Hosts tell of new conversations before their first request. */
  hear(event: unknown): void
}

export function createParents(client: HostClient): Parents {
  const known = new Map<string, string | null>()

  function learn(info: unknown): void {
    if (!isJsonObject(info) || typeof info.id !== 'string') return
    known.set(info.id, typeof info.parentID === 'string' ? info.parentID : null)
  }

  return {
    async of(id) {
      if (!known.has(id)) {
        try {
          learn((await client.session.get({ path: { id } })).data)
        } catch {
          // A host that cannot tell: it counts as a conversation of its own.
        }
      }
      return known.get(id) ?? null
    },
    hear(event) {
      if (!isJsonObject(event) || event.type !== 'session.created') return
      learn(isJsonObject(event.properties) ? event.properties.info : undefined)
    },
  }
}
