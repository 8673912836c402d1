import type { ItemDraft } from '../../src/index.ts'
import { openStore } from '../../src/store/index.ts'

/**
 * The handles of such items of the session in this store, in order. The host shows no handle of what the agent may not prune;
 * the store has all of them.
 */
export async function storedHandles(
  file: string,
  isWanted: (item: ItemDraft) => boolean,
): Promise<readonly string[]> {
  const store = await openStore({ kind: 'sqlite', path: file })
  const [summary] = await store.sessions()
  const { messages } = await store.load(summary!)
  await store.close()
  return messages.flatMap(({ draft, handles }) =>
    draft.items.flatMap((item, at) => (isWanted(item) ? [handles[at]!] : [])),
  )
}

/** The calls of a tool and their results. */
export const ofTool =
  (tool: string) =>
  (item: ItemDraft): boolean =>
    'tool' in item && item.tool === tool
