import type {
  AttachmentDraft,
  ItemDraft,
  ResultStatus,
  Usage,
  WorkingTree,
} from '../core/words/item.ts'
import { arrayOf, isJsonObject, type JsonObject, objectOf } from '../core/words/json.ts'
import { attachmentItem } from './attachment-items.ts'
import {
  countOf,
  identityOf,
  inputText,
  nonZeroUsage,
  outputText,
  textOf,
  timeOf,
} from './json-fields.ts'
import type { UniqueCalls } from './unique-calls.ts'

/** One response of the model inside an OpenCode message, with the results of its calls. */
export interface OpenCodeStep {
  readonly items: readonly ItemDraft[]
  readonly results: readonly ItemDraft[]
  /** Results that OpenCode cleared: positions in `results` and times. */
  readonly cleared: readonly { readonly item: number; readonly at: number }[]
  /** The start time of the first part that has one. */
  readonly startedAt: number | undefined
  readonly endedAt: number | undefined
  readonly usage: Usage | undefined
  /** undefined when OpenCode kept no snapshots. */
  readonly tree: WorkingTree | undefined
}

export interface PartContext {
  readonly calls: UniqueCalls
  /** True if this is the last message, so its results have not been sent to the model yet. */
  readonly isLast: boolean
}

/** The text that OpenCode sends to the model for a call without a result. */
const interrupted = '[Tool execution was interrupted]'

const signatureFields = [
  'signature',
  'redactedData',
  'reasoningEncryptedContent',
  'reasoningOpaque',
  'thoughtSignature',
  'itemId',
]

/** Reads the parts of an assistant message. In older versions a message can have several steps. */
export function readAssistantParts(
  parts: readonly unknown[],
  context: PartContext,
): readonly OpenCodeStep[] {
  const steps = [new StepBuilder()]
  for (const part of parts) {
    if (!isJsonObject(part)) continue
    if (part.type === 'step-start' && steps.at(-1)!.isComplete) steps.push(new StepBuilder())
    steps.at(-1)!.add(part, context)
  }
  return steps
}

class StepBuilder implements OpenCodeStep {
  readonly items: ItemDraft[] = []
  readonly results: ItemDraft[] = []
  readonly cleared: { item: number; at: number }[] = []
  startedAt: number | undefined
  endedAt: number | undefined
  usage: Usage | undefined
  tree: WorkingTree | undefined
  #finished = false

  get isComplete(): boolean {
    return this.#finished || this.results.length > 0
  }

  add(part: JsonObject, context: PartContext): void {
    const type = textOf(part.type) ?? 'part'
    if (type === 'tool') {
      this.#addTool(part, context)
      return
    }
    this.startedAt ??= timeOf(objectOf(part.time).start)
    if (type === 'text') {
      const text = textOf(part.text)
      if (text !== undefined) this.items.push({ kind: 'text', text })
    } else if (type === 'reasoning') {
      this.items.push(...readReasoning(part))
    } else if (type === 'file') {
      this.items.push(readFile(part))
    } else {
      if (type === 'step-finish') {
        this.#finished = true
        this.usage = readTokens(part.tokens)
      }
      this.tree = treeAfter(this.tree, type, part)
      this.items.push({ kind: 'marker', marker: type, text: '' })
    }
  }

  #addTool(part: JsonObject, context: PartContext): void {
    const state = objectOf(part.state)
    const time = objectOf(state.time)
    const tool = textOf(part.tool) ?? ''
    const call = context.calls.issue(identityOf(part.callID) ?? '', tool)
    const providerRun =
      objectOf(part.metadata).providerExecuted === true ? { opaque: true as const } : {}
    this.items.push({ kind: 'call', tool, call, text: readInput(state), ...providerRun })
    const outcome = readOutcome(state, context)
    if (outcome !== null)
      this.results.push({ kind: 'result', tool, call, ...outcome, ...providerRun })
    const clearedAt = timeOf(time.compacted)
    if (clearedAt !== undefined && outcome !== null) {
      this.cleared.push({ item: this.results.length - 1, at: clearedAt })
    }
    for (const attachment of arrayOf(state.attachments)) {
      if (isJsonObject(attachment)) this.results.push(readFile(attachment, call))
    }
    this.startedAt ??= timeOf(time.start)
    const endedAt = timeOf(time.end)
    if (endedAt !== undefined) this.endedAt = Math.max(this.endedAt ?? endedAt, endedAt)
  }
}

/** OpenCode records a snapshot at the start and end of a step, and a list of changed files if any changed. */
function treeAfter(
  tree: WorkingTree | undefined,
  type: string,
  part: JsonObject,
): WorkingTree | undefined {
  const known = tree ?? { before: null, after: null, changed: null }
  if (type === 'patch') {
    const changed = arrayOf(part.files).filter((file) => typeof file === 'string')
    return { ...known, changed: [...(known.changed ?? []), ...changed] }
  }
  const snapshot = textOf(part.snapshot)
  if (snapshot === undefined) return tree
  if (type === 'step-start') return { ...known, before: known.before ?? snapshot }
  return type === 'step-finish' ? { ...known, after: snapshot } : tree
}

function readInput(state: JsonObject): string {
  const { input } = state
  // A call that was still streaming has only its raw text.
  const raw = textOf(state.raw)
  if (raw !== undefined && Object.keys(objectOf(input)).length === 0) return raw
  return inputText(input ?? {})
}

function readOutcome(
  state: JsonObject,
  context: PartContext,
): { readonly status: ResultStatus; readonly text: string } | null {
  switch (state.status) {
    case 'completed':
      return { status: 'ok', text: outputText(state.output) }
    case 'error': {
      const metadata = objectOf(state.metadata)
      // For an interrupted command, the model gets the output so far.
      const printed = metadata.interrupted === true ? textOf(metadata.output) : undefined
      return { status: 'error', text: printed ?? outputText(state.error) }
    }
    default:
      return context.isLast ? null : { status: 'running', text: interrupted }
  }
}

/** Reads the parts of a user message. */
export function readUserParts(parts: readonly unknown[]): readonly ItemDraft[] {
  const items: ItemDraft[] = []
  for (const part of parts) {
    if (!isJsonObject(part)) continue
    const type = textOf(part.type) ?? 'part'
    if (type === 'text' && part.ignored !== true) {
      const text = textOf(part.text)
      if (text !== undefined) items.push({ kind: 'text', text })
    } else if (type === 'file' && !isShownAsText(part)) {
      items.push(readFile(part))
    } else {
      items.push({ kind: 'marker', marker: type, text: '' })
      const text = sentences.get(type)
      if (text !== undefined) items.push({ kind: 'text', text })
    }
  }
  return items
}

/** Parts for which OpenCode sends a fixed sentence to the model. */
const sentences: ReadonlyMap<string, string> = new Map([
  ['compaction', 'What did we do so far?'],
  ['subtask', 'The following tool was executed by the user'],
])

/** True for files whose content OpenCode adds as a separate text part. */
function isShownAsText(part: JsonObject): boolean {
  return part.mime === 'text/plain' || part.mime === 'application/x-directory'
}

function readFile(part: JsonObject, call?: string): AttachmentDraft {
  return attachmentItem({
    media: textOf(part.mime) ?? 'file',
    data: textOf(part.url) ?? textOf(part.filename) ?? '',
    call,
  })
}

function readReasoning(part: JsonObject): readonly ItemDraft[] {
  const text = textOf(part.text) ?? ''
  const isBound = Object.values(objectOf(part.metadata)).some(
    (provider) =>
      isJsonObject(provider) && signatureFields.some((field) => provider[field] != null),
  )
  if (text.trim() !== '') {
    return [{ kind: 'reasoning', binding: isBound ? 'signed' : 'plain', text }]
  }
  return isBound ? [{ kind: 'reasoning', binding: 'opaque', text: '' }] : []
}

/** OpenCode's `input` excludes cached tokens, and in some versions its `output` excludes reasoning. */
export function readTokens(value: unknown): Usage | undefined {
  const tokens = objectOf(value)
  const cache = objectOf(tokens.cache)
  const cacheRead = countOf(cache.read)
  const cacheWrite = countOf(cache.write)
  const input = countOf(tokens.input) + cacheRead + cacheWrite
  const total = countOf(tokens.total)
  const output = total > input ? total - input : countOf(tokens.output) + countOf(tokens.reasoning)
  return nonZeroUsage({ input, output, cacheRead, cacheWrite })
}
