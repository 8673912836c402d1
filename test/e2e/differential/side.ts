import { createUnderstanding } from '../../../src/actions/understand.ts'
import {
  createFileTracker,
  type FileState,
  type FileTracker,
} from '../../../src/core/files/index.ts'
import { createOperations } from '../../../src/core/track/operations.ts'
import type { Action } from '../../../src/core/words/action.ts'
import type { Decision } from '../../../src/core/words/decision.ts'
import type { Item, Message } from '../../../src/core/words/item.ts'
import type { LedgerEntry } from '../../../src/core/words/ledger.ts'
import type { Injected, ResultReading } from '../../../src/core/words/reading.ts'

/** A session as one side knows it: the live one from the gateway's store, the replayed one from the recording. */
export interface Side {
  /** Every call with its result, in the order of the calls. */
  readonly calls: readonly SeenCall[]
  /** What was known of each file after each turn, by turn and path. */
  readonly knowledge: ReadonlyMap<string, KnownFile>
  readonly decisions: readonly SeenDecision[]
  readonly epochs: readonly string[]
  readonly requests: readonly SeenRequest[]
}

export interface SeenCall {
  /** As in `namesOf`. */
  readonly name: string
  readonly tool: string
  readonly input: string
  readonly turn: number
  readonly status: string
  readonly action: Action
  readonly reading: Omit<ResultReading, 'injected'> | null
  readonly injected: readonly Injected[]
}

export interface KnownFile
  extends Pick<FileState, 'version' | 'exists' | 'lineCount' | 'complete'> {
  readonly text: string | null
  readonly segments: readonly unknown[]
}

/** A decision with items named by what they are, because both sides number and name them differently. */
export interface SeenDecision extends Pick<Decision, 'turn' | 'reason' | 'strategy'> {
  readonly item: string
  readonly by: string | null
  readonly how: string
  readonly text: string | null
}

/** What a request showed of each call and each result, by its name; nothing where it was left out. */
export type SeenRequest = ReadonlyMap<string, string>

/** Names the items of a history: `call 3` and `result 3` are the third call, `text 2` is the second text of an assistant. */
export function namesOf(messages: readonly Message[]): ReadonlyMap<number, string> {
  const names = new Map<number, string>()
  const calls = new Map<string, number>()
  const others = new Map<string, number>()
  for (const item of messages.flatMap(({ items }) => items)) {
    if (item.kind === 'call') calls.set(item.call, calls.size + 1)
    const number = item.kind === 'call' || item.kind === 'result' ? calls.get(item.call) : undefined
    const group = `${item.role} ${item.kind}`
    if (number === undefined) others.set(group, (others.get(group) ?? 0) + 1)
    names.set(
      item.index,
      number === undefined ? `${group} ${others.get(group)}` : `${item.kind} ${number}`,
    )
  }
  return names
}

/** What is understood of a history's calls and results, and what is known of its files after each turn. */
export function followHistory(
  messages: readonly Message[],
  cwd: string | null,
): Pick<Side, 'calls' | 'knowledge'> {
  const operations = createOperations(createUnderstanding({ cwd }))
  const files = createFileTracker()
  const calls: SeenCall[] = []
  const names = namesOf(messages)
  const order = [...names.values()]
  for (const message of messages) {
    files.observeMessage(message)
    for (const operation of operations.observe(message)) {
      files.observe(operation)
      const { call, action, status, turn, reading } = operation
      calls.push({
        name: names.get(call.index) ?? '',
        tool: call.tool,
        input: call.text,
        turn,
        status,
        action,
        reading: reading === null ? null : withoutInjected(reading),
        injected: reading?.injected ?? [],
      })
    }
  }
  // Calls of one turn may end in any order.
  calls.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
  const turns = messages.filter(({ role }) => role === 'assistant').length
  return { calls, knowledge: knowledgeIn(files, turns) }
}

function withoutInjected(reading: ResultReading): Omit<ResultReading, 'injected'> {
  const { body, lines, exitCode, truncated, trimmed, formatting } = reading
  return {
    body,
    lines,
    exitCode,
    truncated,
    ...(trimmed === undefined ? {} : { trimmed }),
    ...(formatting === undefined ? {} : { formatting }),
  }
}

function knowledgeIn(files: FileTracker, turns: number): ReadonlyMap<string, KnownFile> {
  const knowledge = new Map<string, KnownFile>()
  for (let turn = 1; turn <= turns; turn++) {
    for (const path of files.paths()) {
      const { version, exists, lineCount, complete, text, segments } = files.stateAt(path, turn)
      knowledge.set(`turn ${turn} ${path}`, {
        version,
        exists,
        lineCount,
        complete,
        text,
        // Ids of lines are numbers of the tracker's own.
        segments: segments.map((segment) =>
          segment.kind === 'gap'
            ? segment
            : {
                ...segment,
                lines: segment.lines.map(({ text: line, certain }) => ({ line, certain })),
              },
        ),
      })
    }
  }
  return knowledge
}

/** A ledger's decisions, in their order, with the names of their items in the place of numbers and handles. */
export function decisionsIn(
  entries: readonly LedgerEntry[],
  items: readonly Item[],
  names: ReadonlyMap<number, string>,
): Pick<Side, 'decisions' | 'epochs'> {
  const named = (index: number): string => names.get(index) ?? `item ${index} of another history`
  const byHandle = new Map(items.map((item) => [item.handle, named(item.index)]))
  const spelled = (text: string): string =>
    text.replace(/\b[0-9a-f]{6,}\b/g, (handle) => byHandle.get(handle) ?? handle)
  const decisions: SeenDecision[] = []
  const epochs: string[] = []
  for (const entry of entries) {
    if (entry.kind === 'epoch') epochs.push(`turn ${entry.turn}: ${entry.reason}`)
    if (entry.kind !== 'decision') continue
    const { turn, item, by, rendition, reason, strategy } = entry
    decisions.push({
      turn,
      item: named(item),
      how: rendition.how,
      reason,
      strategy,
      by: by === null ? null : named(by),
      text: rendition.text === null ? null : spelled(rendition.text),
    })
  }
  return { decisions, epochs }
}
