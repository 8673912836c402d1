import type { Anchor } from '../../src/core/record/branches.ts'
import { createRecord, type SessionRecord } from '../../src/core/record/record.ts'
import type { ItemDraft, MessageDraft } from '../../src/core/words/item.ts'
import type { LedgerEntry } from '../../src/core/words/ledger.ts'
import {
  type Addition,
  addedMessages,
  type Extent,
  type StoredMessage,
} from '../../src/store/index.ts'

export const nothing: Extent = { messages: 0, ledger: 0, entries: 0 }

export function say(text: string): MessageDraft {
  return { role: 'user', items: [{ kind: 'text', text }] }
}

export function call(id: string, tool: string, input: string): MessageDraft {
  return {
    role: 'assistant',
    id: `message-${id}`,
    at: 1_700_000_000_000,
    model: 'some-model',
    usage: { input: 10, output: 2, cacheRead: 5, cacheWrite: 1 },
    items: [
      { kind: 'reasoning', binding: 'signed', text: `thinking about ${id}` },
      { kind: 'call', tool, call: id, text: input },
    ],
  }
}

export function result(id: string, tool: string, text: string): MessageDraft {
  const item: ItemDraft = { kind: 'result', tool, call: id, status: 'ok', text }
  return { role: 'tool', items: [item] }
}

/** A session that asks, calls a tool and gets an answer, `turns` times. */
export function conversation(turns: number, about = 'it'): readonly MessageDraft[] {
  const drafts = [say(`tell me about ${about}`)]
  for (let turn = 0; turn < turns; turn++) {
    drafts.push(call(`${about}-${turn}`, 'read', JSON.stringify({ path: `src/${turn}.ts` })))
    drafts.push(result(`${about}-${turn}`, 'read', `${about} ${turn}: ${'text '.repeat(40)}`))
  }
  return drafts
}

export function entry(item: number, text = 'shorter'): LedgerEntry {
  return {
    kind: 'decision',
    item,
    handle: 'a1b2c3',
    rendition: { how: 'superseded', text },
    reason: 'file',
    strategy: 'files',
    by: null,
    turn: 1,
  }
}

/** A record that says what each request added to it, as the store takes it. */
export class ToldSession {
  readonly record: SessionRecord = createRecord()
  anchor: Anchor = { branch: 0, length: 0 }

  /** The messages that this history adds. */
  tell(history: readonly MessageDraft[]): readonly StoredMessage[] {
    const known = this.record.messages.length
    this.anchor = this.record.append(history).anchor
    return addedMessages(this.record, this.anchor, known)
  }
}

/** A whole history as the first addition to a session. */
export function firstAddition(history: readonly MessageDraft[]): Addition & {
  readonly messages: readonly StoredMessage[]
} {
  return { expected: nothing, messages: new ToldSession().tell(history) }
}
