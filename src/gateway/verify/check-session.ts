import type { EngineMaker } from '../../config/engine-maker.ts'
import type { Engine, EngineRequest } from '../../core/engine.ts'
import { claimsIn } from '../../core/render/marks.ts'
import type { ProjectedChange } from '../../core/session/project.ts'
import type { MessageDraft } from '../../core/words/item.ts'
import type { LedgerEntry } from '../../core/words/ledger.ts'
import type { Work } from '../../core/words/work.ts'
import { bodyFormats } from '../../formats/index.ts'
import { Branch } from '../../session/branch.ts'
import type { LoadedSession, Store } from '../../store/store.ts'
import type { Breach, Sample } from './sample.ts'

export interface SessionParts {
  readonly store: Store
  readonly maker: EngineMaker
}

/** How many originals of a request are looked up in the store, the newest first. */
const mostOriginals = 20

/**
 * What another process would make of the session in the store: the same record, the same bytes, and every original. Returns
 * null when the session has continued since.
 */
export async function checkSession(
  sample: Sample,
  { store, maker }: SessionParts,
  run: <Result>(work: Work<Result>) => Promise<Result>,
): Promise<readonly Breach[] | null> {
  const loaded = await run(await store.inSteps.load(sample.session))
  if (!isSameState(loaded.ledger, sample.ledger)) return null
  const place = { cwd: sample.cwd, model: sample.model }
  const branch = new Branch(loaded, { store, maker }, place)
  const came = maker.asRecorded(sample.original.messages)
  const breaches: Breach[] = checkRecord(branch, came)
    ? []
    : [{ promise: 'record', message: 'the record differs from the request' }]
  const repeated = branch.resume()
  const { format, original, sent } = sample
  const again = bodyFormats[format].rewrite(original, repeated.changes).source
  if (!isSameBody(again, sent))
    breaches.push({ promise: 'same-bytes', message: describeDifference(repeated, sample) })
  for (const change of sample.changes.slice(-mostOriginals))
    breaches.push(...(await checkOriginal(change, sample, store)))
  return [...breaches, ...checkPointers(branch.engine, sample, loaded)]
}

/** Usage may add the last request to the ledger again, which changes no bytes. */
function isSameState(stored: readonly LedgerEntry[], decided: readonly LedgerEntry[]): boolean {
  const [one, other] = [stored, decided].map(
    (ledger) => ledger.filter(({ kind }) => kind !== 'request').length,
  )
  return one === other && stored.at(-1)?.turn === decided.at(-1)?.turn
}

function checkRecord({ history }: Branch, messages: readonly MessageDraft[]): boolean {
  if (history.length !== messages.length) return false
  return history.every(({ items }, position) => {
    const other = messages[position]?.items ?? []
    return items.length === other.length && items.every(({ text }, at) => text === other[at]?.text)
  })
}

function isSameBody(one: Sample['sent'], other: Sample['sent']): boolean {
  return Buffer.compare(Buffer.from(one), Buffer.from(other)) === 0
}

function describeDifference({ changes }: EngineRequest, sample: Sample): string {
  const at = changes.findIndex((change, index) => change.text !== sample.changes[index]?.text)
  const { message, item } = changes[at] ?? sample.changes[changes.length] ?? {}
  return `${changes.length} changes instead of ${sample.changes.length}, first different at ${message}.${item}`
}

/** The handle names the very text that came, and the model is told it. */
async function checkOriginal(
  change: ProjectedChange,
  { original, session }: Sample,
  store: Store,
): Promise<readonly Breach[]> {
  const { decision, message, item, text } = change
  const came = original.messages[message]?.items[item]
  const broken = (what: string): readonly Breach[] => [
    { promise: 'restorable', message: `item ${message}.${item}: ${what}` },
  ]
  const found = await store.original(decision.handle, session)
  if (found.kind !== 'found') return broken('its handle finds nothing')
  // A result may end with a note about its call, whose handle it then is.
  const isNote = text?.startsWith(came?.text ?? '') === true
  if (!isNote && found.text !== came?.text) return broken('its handle finds another text')
  const isTold = came?.kind === 'reasoning' || came?.kind === 'call' || text === null
  return isTold || text.includes(decision.handle) ? [] : broken('the model is not told its handle')
}

/** What a pointer names stands before it in the same request, and is not hidden. */
function checkPointers(
  engine: Engine,
  { changes }: Sample,
  { messages }: LoadedSession,
): readonly Breach[] {
  const shownAs = new Map(changes.map(({ decision }) => [decision.item, decision]))
  const known = new Set(messages.flatMap(({ handles }) => handles))
  return changes.flatMap(({ decision, message, item, text }): readonly Breach[] => {
    if (decision.rendition.how !== 'pointer') return []
    return claimsIn(text ?? '').flatMap(({ handle }) => {
      const target = known.has(handle) ? engine.find(handle) : undefined
      const how = target === undefined ? undefined : shownAs.get(target.index)?.rendition.how
      const isShown =
        how === undefined || how === 'view' || how === 'pointer' || how === 'truncated'
      if (target !== undefined && target.index < decision.item && isShown) return []
      return [
        { promise: 'pointers', message: `item ${message}.${item} points to what is not shown` },
      ]
    })
  })
}
