import { type ActionOptions, actionOf, createPaths } from '../actions/index.ts'
import type { Item, ItemKind } from '../core/words/item.ts'
import { countRecording, type RecordingCounts } from '../recordings/anatomy-counts.ts'
import type { Recording } from '../recordings/recording.ts'
import { type IdleGaps, idleGaps } from './idle-gaps.ts'
import { replay } from './replay.ts'
import { filesChanged, filesRead } from './touched-files.ts'

/** How often something happened, and how many tokens of results stand behind it. */
export interface Tally {
  readonly count: number
  readonly tokens: number
}

export interface ToolSize {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
}

/** What a session is made of. Counts are named as in `RecordingCounts`. */
export interface Anatomy extends RecordingCounts {
  readonly session: string | null
  readonly model: string | null
  readonly subagentRecords: number
  readonly tokens: {
    readonly total: number
    readonly byKind: Readonly<Record<ItemKind, number>>
    readonly byTool: Readonly<Record<string, ToolSize>>
    /** Summed over all requests: what the agent sent. */
    readonly sent: number
    /** The largest request. */
    readonly peak: number
  }
  /** A file that was read before is read again. */
  readonly rereads: Tally
  /** Reads of a file that is changed later in the session. */
  readonly readsLaterEdited: Tally
  /** The same tool with the same input again. */
  readonly repeatedCalls: Tally
  readonly idle: IdleGaps
}

export function anatomyOf(recording: Recording, options: ActionOptions = {}): Anatomy {
  const steps = replay(recording)
  const items: Item[] = []
  let sent = 0
  let peak = 0
  for (const step of steps) {
    if (step.kind === 'items') {
      items.push(...step.items)
      continue
    }
    const size = step.view.reduce(
      (sum, { item, rendition }) => sum + (rendition === null ? item.tokens : 0),
      0,
    )
    sent += size
    peak = Math.max(peak, size)
  }
  return {
    session: recording.session,
    model: recording.model,
    subagentRecords: recording.subagentRecords,
    ...countRecording(recording, options),
    tokens: { ...sizes(items), sent, peak },
    ...repetitions(recording, items, options),
    idle: idleGaps(recording),
  }
}

function sizes(items: readonly Item[]): Pick<Anatomy['tokens'], 'total' | 'byKind' | 'byTool'> {
  const byKind: Record<ItemKind, number> = {
    text: 0,
    reasoning: 0,
    call: 0,
    result: 0,
    attachment: 0,
    marker: 0,
  }
  const byTool = new Map<string, ToolSize>()
  for (const item of items) {
    byKind[item.kind] += item.tokens
    if (item.kind !== 'call' && item.kind !== 'result') continue
    const { calls, inputTokens, outputTokens } = byTool.get(item.tool) ?? {
      calls: 0,
      inputTokens: 0,
      outputTokens: 0,
    }
    byTool.set(
      item.tool,
      item.kind === 'call'
        ? { calls: calls + 1, inputTokens: inputTokens + item.tokens, outputTokens }
        : { calls, inputTokens, outputTokens: outputTokens + item.tokens },
    )
  }
  const largestFirst = [...byTool].sort(
    ([, a], [, b]) => b.outputTokens + b.inputTokens - a.outputTokens - a.inputTokens,
  )
  const total = Object.values(byKind).reduce((sum, tokens) => sum + tokens, 0)
  return { total, byKind, byTool: Object.fromEntries(largestFirst) }
}

interface ReadEvent {
  readonly file: string
  readonly tokens: number
  readonly order: number
}

function repetitions(
  recording: Recording,
  items: readonly Item[],
  options: ActionOptions,
): Pick<Anatomy, 'rereads' | 'readsLaterEdited' | 'repeatedCalls'> {
  const paths = createPaths({ cwd: recording.cwd })
  const outputs = new Map<string, number>()
  for (const item of items) if (item.kind === 'result') outputs.set(item.call, item.tokens)

  const reads: ReadEvent[] = []
  const lastChange = new Map<string, number>()
  const seenFiles = new Set<string>()
  const seenCalls = new Set<string>()
  const rereads = tally()
  const repeatedCalls = tally()
  for (const item of items) {
    if (item.kind !== 'call') continue
    const tokens = outputs.get(item.call) ?? 0
    const sameCall = `${item.tool}\n${item.text}`
    if (seenCalls.has(sameCall)) repeatedCalls.add(tokens)
    seenCalls.add(sameCall)

    const action = actionOf(item, options)
    const workdir = action.kind === 'shell' ? action.workdir : null
    const read = filesRead(action).map((path) => paths.canonical(path, workdir))
    if (read.some((file) => seenFiles.has(file))) rereads.add(tokens)
    for (const file of read) {
      seenFiles.add(file)
      reads.push({ file, tokens: tokens / read.length, order: item.index })
    }
    for (const path of filesChanged(action))
      lastChange.set(paths.canonical(path, workdir), item.index)
  }
  const readsLaterEdited = tally()
  for (const { file, tokens, order } of reads) {
    if ((lastChange.get(file) ?? -1) > order) readsLaterEdited.add(tokens)
  }
  return {
    rereads: rereads.total(),
    readsLaterEdited: readsLaterEdited.total(),
    repeatedCalls: repeatedCalls.total(),
  }
}

function tally(): { add(tokens: number): void; total(): Tally } {
  let count = 0
  let sum = 0
  return {
    add(tokens) {
      count++
      sum += tokens
    },
    total: () => ({ count, tokens: Math.round(sum) }),
  }
}
