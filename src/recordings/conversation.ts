import type { ItemDraft, MessageDraft, Role, Usage, WorkingTree } from '../core/words/item.ts'
import type { RecordingEvent, RecordingProblem } from './recording.ts'
import { type SettledCall, UniqueCalls } from './unique-calls.ts'

/** A message that can still get more items, because some agents write one message over several lines. */
export interface OpenMessage {
  readonly role: Role
  readonly items: ItemDraft[]
  id?: string
  at?: number
  model?: string
  usage?: Usage
  tree?: WorkingTree
}

export interface MessageStart {
  readonly role: Role
  readonly items: readonly ItemDraft[]
  readonly id?: string | undefined
  readonly at?: number | undefined
  readonly model?: string | undefined
  readonly usage?: Usage | undefined
  readonly tree?: WorkingTree | undefined
}

export interface ResultPlace {
  readonly message: number
  readonly item: number
}

/** Collects the events of one session. Positions count the message events from 0. */
export class Conversation {
  readonly calls: UniqueCalls = new UniqueCalls()
  readonly #events: RecordingEvent[] = []
  readonly #messages: OpenMessage[] = []
  #visible: number[] = []

  /** The number of messages. */
  get length(): number {
    return this.#messages.length
  }

  /** Positions of the messages that no compaction has removed, ascending. */
  get visible(): readonly number[] {
    return this.#visible
  }

  at(position: number): OpenMessage | undefined {
    return this.#messages[position]
  }

  /** Adds a message and returns its position. */
  message({ role, items, id, at, model, usage, tree }: MessageStart): number {
    const message: OpenMessage = { role, items: [...items] }
    if (id !== undefined) message.id = id
    if (at !== undefined) message.at = at
    if (model !== undefined) message.model = model
    if (usage !== undefined) message.usage = usage
    if (tree !== undefined) message.tree = tree
    const draft: MessageDraft = message
    this.#events.push({ kind: 'message', message: draft })
    this.#visible.push(this.#messages.length)
    return this.#messages.push(message) - 1
  }

  compaction(keeps: readonly number[], at: number | undefined): void {
    this.#visible = [...keeps]
    this.#events.push({ kind: 'compaction', keeps, ...(at === undefined ? {} : { at }) })
  }

  /** The user went back: only the messages in `keeps` are visible, even if a compaction had removed them. */
  rewind(keeps: readonly number[], at: number | undefined): void {
    this.#visible = [...keeps]
    this.#events.push({
      kind: 'compaction',
      keeps,
      rewind: true,
      ...(at === undefined ? {} : { at }),
    })
  }

  cleared(results: readonly ResultPlace[], at: number | undefined): void {
    if (results.length === 0) return
    this.#events.push({ kind: 'cleared', results, ...(at === undefined ? {} : { at }) })
  }

  /** The call that a result answers. Reports a result without a call; null for a repeated result, also reported. */
  settle(
    recorded: string,
    line: number,
    report: (problem: RecordingProblem) => void,
    { mayRepeat = false }: { readonly mayRepeat?: boolean } = {},
  ): SettledCall | null {
    const settled = this.calls.settle(recorded)
    if (settled.kind === 'repeated' && !mayRepeat) {
      report({ line, message: `a second result of the call ${recorded}` })
      return null
    }
    if (settled.kind === 'orphan')
      report({ line, message: `no call before the result of ${recorded}` })
    return settled
  }

  /** All events, and the model that wrote most assistant messages (the first one on a tie). */
  end(): { readonly events: readonly RecordingEvent[]; readonly model: string | null } {
    this.#unlinkOrphans()
    const answers = new Map<string, number>()
    for (const { role, model } of this.#messages) {
      if (role === 'assistant' && model !== undefined)
        answers.set(model, (answers.get(model) ?? 0) + 1)
    }
    let most: readonly [string, number] | undefined
    for (const entry of answers) if (!most || entry[1] > most[1]) most = entry
    return { events: this.#events, model: most?.[0] ?? null }
  }

  /** Turns a result without an earlier call into a text. */
  #unlinkOrphans(): void {
    const made = new Set<string>()
    for (const { items } of this.#messages) {
      for (const [index, item] of items.entries()) {
        if (item.kind === 'call') made.add(item.call)
        else if (item.kind === 'result' && !made.has(item.call)) items[index] = asText(item)
        else if (item.kind === 'attachment' && item.call !== undefined && !made.has(item.call)) {
          const { call: _, ...rest } = item
          items[index] = rest
        }
      }
    }
  }
}

function asText({ text, opaque }: ItemDraft): ItemDraft {
  return { kind: 'text', text, ...(opaque === undefined ? {} : { opaque }) }
}
