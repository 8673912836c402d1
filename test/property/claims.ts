import type { Engine, EngineRequest } from '../../src/core/engine.ts'
import type { Decision } from '../../src/core/words/decision.ts'
import type { Item, MessageDraft } from '../../src/core/words/item.ts'

interface Page {
  readonly engine: Engine
  readonly messages: readonly MessageDraft[]
  readonly request: EngineRequest
  /** Decisions that were checked with an earlier request. */
  readonly known?: ReadonlySet<Decision>
}

/** A sentence of the page, read by somebody who knows nothing but the page: what is where. */
const sentence =
  /^\[(?:(same output|same file lines)|… file lines? (\d+)(?:–(\d+))?) as in (?:`(.*)` )?above, (result|input) ([0-9a-f]{6,})/gm

/** How many claims were checked, and which of them are untrue of the very request in which they stand. */
export function checkClaims(page: Page): {
  readonly checked: number
  readonly untrue: readonly string[]
} {
  const { engine, request, known } = page
  const shownAs = new Map(request.changes.map((change) => [change.decision.item, change]))
  const untrue: string[] = []
  let checked = 0
  for (const { decision, text } of request.changes) {
    const { how } = decision.rendition
    // A digest may quote a file that speaks of handles.
    if (how !== 'pointer' && !(how === 'truncated' && decision.strategy === 'files')) continue
    for (const [mark, whole, first, last, , part, handle = ''] of (text ?? '').matchAll(sentence)) {
      const target = engine.find(handle)
      const standing = target === undefined ? undefined : shownAs.get(target.index)
      const isKnown = standing === undefined || known?.has(standing.decision) === true
      if (known?.has(decision) === true && isKnown) continue
      checked++
      const item = engine.record.items[decision.item] as Item
      const where = `turn ${request.turn}: ${mark}`
      if (target === undefined || !isAbove(target, item, page)) {
        untrue.push(`${where}: is not above`)
        continue
      }
      if ((part === 'result') !== (target.kind === 'result')) untrue.push(`${where}: is no ${part}`)
      const range =
        whole === undefined ? { first: Number(first), last: Number(last ?? first) } : null
      const shown = knownLines(engine, standing?.text ?? target.text)
      const missing = claimedLines(engine, item, range).filter((line) => !shown.has(line))
      if (missing.length > 0) {
        untrue.push(`${where}: lacks ${missing.length}, first ${JSON.stringify(missing[0])}`)
      }
    }
  }
  return { checked, untrue }
}

/** True when the item is in the request, before the other. */
function isAbove(target: Item, item: Item, { messages }: Page): boolean {
  if (target.index >= item.index) return false
  return messages.some(({ items }) =>
    items.some(
      (each) =>
        each.kind === target.kind &&
        each.text === target.text &&
        'call' in each === 'call' in target &&
        (!('call' in each) || !('call' in target) || each.call === target.call),
    ),
  )
}

function claimedLines(
  engine: Engine,
  item: Item,
  range: { readonly first: number; readonly last: number } | null,
): readonly string[] {
  const reading = engine.operationOf(item)?.reading ?? null
  const lines = reading?.lines ?? null
  if (range !== null && lines !== null) {
    return trimmed(lines.lines.slice(range.first - lines.first, range.last - lines.first + 1))
  }
  return trimmed(lines?.lines ?? (reading?.body ?? item.text).split('\n'))
}

function trimmed(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}

/** Every request repeats most texts of the one before. */
function knownLines(engine: Engine, text: string): ReadonlySet<string> {
  const known = linesOfTexts.get(engine) ?? new Map<string, ReadonlySet<string>>()
  linesOfTexts.set(engine, known)
  const lines = known.get(text) ?? linesOf(text)
  known.set(text, lines)
  return lines
}

const linesOfTexts = new WeakMap<Engine, Map<string, ReadonlySet<string>>>()

/** The lines of a result, without what agents write before them; of a call's input, those of its texts. */
function linesOf(text: string): ReadonlySet<string> {
  const shown = new Set<string>()
  for (const each of [text, unescaped(text)]) {
    for (const line of each.split('\n')) {
      shown.add(line.trim())
      shown.add(line.replace(/^(?:<[a-z-]+>)?\s*L?\d+(?:→|\t|\||[:.] ?| {1,2})/, '').trim())
      shown.add(line.replace(/^(?:Stdout: |<[a-z-]+>)/, '').trim())
    }
  }
  return shown
}

function unescaped(text: string): string {
  const texts: string[] = []
  try {
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value === 'string') texts.push(value)
      return value
    })
  } catch {
    return ''
  }
  return texts.join('\n')
}
