import { isDeepStrictEqual } from 'node:util'
import { noteOf } from '../../core/render/input-note.ts'
import type { ProjectedChange } from '../../core/session/project.ts'
import type { ItemDraft, MessageDraft } from '../../core/words/item.ts'
import type { Settings } from '../../core/words/settings.ts'
import type { Body, RequestRead } from '../../formats/format.ts'
import { bodyFormats } from '../../formats/index.ts'
import { lastRequestIn } from '../../session/session.ts'
import type { Breach, Sample } from './sample.ts'

/** Epochs that the user, the agent or the context limit forces may cost something. */
const forcedEpochs = new Set(['pressure', 'asked'])
const forcedReasons = new Set(['agent', 'user', 'pressure'])
/** Of what the request costs. Prices are counted in characters, which only come near to tokens. */
const costTolerance = 0.01

/** What the request alone shows, without the store. */
export function checkRequest(sample: Sample, settings: Settings): readonly Breach[] {
  const { format, model, original, sent, changes } = sample
  const breaches: Breach[] = []
  if (sent.length > original.source.length)
    breaches.push({ promise: 'never-larger', message: 'the request is longer than it came' })
  const options = model === null ? {} : { model }
  const violation =
    sent === original.source
      ? null
      : bodyFormats[format].validateRewrite(original.source, sent, options)
  if (violation !== null)
    breaches.push({ promise: 'valid', message: `${violation.rule} at ${violation.where}` })
  breaches.push(...checkSpans(original, bodyFormats[format].read(sent), changes))
  for (const change of changes) breaches.push(...checkChange(change, original, settings))
  return [...breaches, ...checkCost(sample)]
}

/** Nothing but the decided items differs between the original and what was sent. */
function checkSpans(
  original: RequestRead<Body>,
  sent: RequestRead<Body>,
  changes: readonly ProjectedChange[],
): readonly Breach[] {
  const broken = (message: string): readonly Breach[] => [{ promise: 'only-decided', message }]
  if (sent.problem !== null) return broken(`cannot be read at ${sent.problem.where}`)
  if (sent.model !== original.model) return broken('another model')
  if (!isDeepStrictEqual(sent.prefix, original.prefix)) return broken('the system prompt or tools')
  const expected = withChanges(original.messages, changes)
  if (expected.length !== sent.messages.length) return broken('the number of messages')
  for (const [at, message] of expected.entries()) {
    const other = sent.messages[at] as MessageDraft
    const item = firstDifference(message, other)
    if (message.role !== other.role || item !== null) return broken(`item ${at}.${item ?? 0}`)
  }
  return []
}

function firstDifference(one: MessageDraft, other: MessageDraft): number | null {
  const length = Math.max(one.items.length, other.items.length)
  for (let at = 0; at < length; at++) {
    const [item, same] = [one.items[at], other.items[at]]
    if (item?.kind !== same?.kind || item?.text !== same?.text) return at
  }
  return null
}

/** The messages with the changes made, without those that nothing is left of. */
function withChanges(
  messages: readonly MessageDraft[],
  changes: readonly ProjectedChange[],
): readonly MessageDraft[] {
  const byPlace = new Map(changes.map((change) => [`${change.message}.${change.item}`, change]))
  const changed = new Set(changes.map(({ message }) => message))
  return messages.flatMap((message, position): readonly MessageDraft[] => {
    if (!changed.has(position)) return [message]
    const items = message.items.flatMap((item, at): readonly ItemDraft[] => {
      const change = byPlace.get(`${position}.${at}`)
      if (change === undefined) return [item]
      if (change.text === null) return []
      return [
        item.kind === 'attachment'
          ? { kind: 'text', text: change.text }
          : { ...item, text: change.text },
      ]
    })
    return items.length === 0 && message.items.length > 0 ? [] : [{ ...message, items }]
  })
}

function checkChange(
  { message: position, item: at, text, decision }: ProjectedChange,
  { messages }: RequestRead<Body>,
  { admission }: Settings,
): readonly Breach[] {
  const message = messages[position]
  const item = message?.items[at]
  const where = `item ${position}.${at}`
  if (message === undefined || item === undefined)
    return [{ promise: 'only-decided', message: `${where} does not exist` }]
  const { rendition, reason, strategy } = decision
  const breaches: Breach[] = []
  const isProse = item.kind === 'text' && message.role === 'user'
  if (isProse && reason !== 'code-block' && reason !== 'injected' && !forcedReasons.has(reason))
    breaches.push({ promise: 'only-decided', message: `${where} is what the user said` })
  const isSigned = item.kind === 'reasoning' && item.binding !== 'plain' && text !== null
  if (item.opaque === true || isSigned)
    breaches.push({ promise: 'only-decided', message: `${where} belongs to the provider` })
  // A result may end with what is left of its call, whose decision it then has; both together are shorter.
  const isNote = item.kind === 'result' && noteOf(rendition) !== null
  if (!isNote && rendition.how !== 'view' && (rendition.text?.length ?? 0) > item.text.length)
    breaches.push({ promise: 'never-larger', message: `${where} is longer than it came` })
  const isSmall = item.text.length <= admission.wholeChars
  if (strategy === 'admission' && rendition.how === 'truncated' && isSmall)
    breaches.push({ promise: 'first-sight', message: `${where} was shortened at first sight` })
  return breaches
}

/** What the session has saved so far, restores apart. */
function checkCost({ ledger, original }: Sample): readonly Breach[] {
  const { balances = [], restored } = lastRequestIn(ledger) ?? {}
  const isForced = ledger.some(
    (entry) =>
      (entry.kind === 'epoch' && forcedEpochs.has(entry.reason)) ||
      (entry.kind === 'decision' && forcedReasons.has(entry.reason)),
  )
  const [balance = 0] = balances
  if (isForced || balance + (restored?.costs[0] ?? 0) >= -costTolerance * original.source.length)
    return []
  return [
    {
      promise: 'never-more-expensive',
      message: `the session has cost ${Math.round(-balance)} characters more`,
    },
  ]
}
