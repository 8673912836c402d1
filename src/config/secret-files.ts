import { hash } from 'node:crypto'
import { type ActionOptions, actionOf } from '../actions/action-of.ts'
import { pathsIn } from '../core/guard/protected-paths.ts'
import { hashOnlyText, isHashOnly } from '../core/render/hash-only.ts'
import type { Action } from '../core/words/action.ts'
import type { CallDraft, ItemDraft, MessageDraft } from '../core/words/item.ts'
import { matchesFile } from './protection.ts'

/** Files whose contents are recorded as hashes only. The configuration adds others, or excepts some of these with `!`. */
export const usualSecretFiles: readonly string[] = [
  '.env',
  '.env.*',
  '!.env.example',
  '!.env.sample',
  '!.env.template',
  '*.pem',
  '*.p12',
  '*.pfx',
  'id_rsa',
  'id_dsa',
  'id_ecdsa',
  'id_ed25519',
  '.netrc',
  '.pgpass',
  '.aws/credentials',
  '.git-credentials',
]

/**
 * The messages as they are recorded: results that show a secret file, and calls that change one, have a hash in the place of
 * their text. The provider gets the text all the same. The first `known` messages are returned as they are.
 */
export type AsRecorded = (
  messages: readonly MessageDraft[],
  known?: number,
) => readonly MessageDraft[]

export function createAsRecorded(
  patterns: readonly string[],
  { mappings }: ActionOptions = {},
): AsRecorded {
  if (patterns.length === 0) return (messages) => messages
  const isSecret = matchesFile(patterns)

  /** null when the call has nothing to do with a secret file. */
  function readCall({ tool, text }: CallDraft): Action | null {
    if (isHashOnly(text)) return { kind: 'other' }
    const action = actionOf({ tool, text }, { mappings })
    return pathsIn(action, text).some(isSecret) ? action : null
  }

  function recorded(item: ItemDraft, callOf: (id: string) => CallDraft | undefined): ItemDraft {
    if (item.kind === 'call') {
      const action = readCall(item)
      return action === null || onlyLooks(action) ? item : hidden(item)
    }
    if (item.kind !== 'result' && item.kind !== 'attachment') return item
    const call = item.call === undefined ? undefined : callOf(item.call)
    return call === undefined || readCall(call) === null ? item : hidden(item)
  }

  return (messages, known = 0) => {
    let changed: MessageDraft[] | null = null
    for (let at = known; at < messages.length; at++) {
      const message = messages[at] as MessageDraft
      const items = message.items.map((item) =>
        recorded(item, (id) => callBefore(messages, at, id)),
      )
      if (items.every((item, index) => item === message.items[index])) continue
      changed ??= [...messages]
      changed[at] = { ...message, items }
    }
    return changed ?? messages
  }
}

/** Calls like these say which file, and nothing that is in it. */
function onlyLooks(action: Action): boolean {
  if (action.kind === 'shell') return action.changes.length === 0
  return action.kind === 'read' || action.kind === 'search' || action.kind === 'glob'
}

function hidden<Item extends ItemDraft>(item: Item): Item {
  if (isHashOnly(item.text) || item.text === '') return item
  const text = hashOnlyText(hash('sha256', item.text), item.text.length)
  return { ...item, text, opaque: true }
}

/** Results follow their calls closely, so the search begins at the end. */
function callBefore(
  messages: readonly MessageDraft[],
  end: number,
  id: string,
): CallDraft | undefined {
  for (let at = end; at >= 0; at--) {
    for (const item of messages[at]?.items ?? [])
      if (item.kind === 'call' && item.call === id) return item
  }
  return undefined
}
