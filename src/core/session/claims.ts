import { ownText } from '../render/input-note.ts'
import { type Claim, claimsIn } from '../render/marks.ts'
import type { Decision } from '../words/decision.ts'
import type { Item } from '../words/item.ts'
import { type Ledger, LedgerCursor } from '../words/ledger.ts'
import type { Operation } from '../words/operation.ts'

interface ClaimsOptions {
  readonly ledger: Ledger
  find(handle: string): Item | undefined
  item(index: number): Item
  operationOf(item: Item): Operation | undefined
}

/**
 * Follows which renditions say that their lines are shown in another item, so that none of them stays when the lines leave
 * the context. Everything follows from the ledger.
 */
export class Claims {
  readonly #options: ClaimsOptions
  readonly #cursor = new LedgerCursor()
  /** By the item that is pointed to: the items whose renditions point to it. */
  readonly #pointing = new Map<number, Set<number>>()
  readonly #targets = new Map<number, readonly number[]>()
  /** Items whose claims have to be checked. */
  readonly #unchecked = new Set<number>()

  constructor(options: ClaimsOptions) {
    this.#options = options
  }

  /** The items whose renditions say that their lines are shown in this one. */
  pointingTo(item: number): readonly number[] {
    this.#follow()
    return [...(this.#pointing.get(item) ?? [])]
  }

  /** The items with a claim that has become untrue since the last call. */
  takeBroken(): readonly Item[] {
    this.#follow()
    const broken: Item[] = []
    for (const index of this.#unchecked) {
      const item = this.#options.item(index)
      const decision = this.#options.ledger.of(index)
      if (decision === undefined || !pointsElsewhere(decision)) continue
      if (!claimsOf(decision).every((claim) => this.#isTrue(item, claim))) broken.push(item)
    }
    this.#unchecked.clear()
    return broken
  }

  #follow(): void {
    for (const entry of this.#cursor.take(this.#options.ledger)) {
      if (entry.kind !== 'decision' && entry.kind !== 'revert') continue
      const { item } = entry
      for (const target of this.#targets.get(item) ?? []) this.#pointing.get(target)?.delete(item)
      this.#targets.delete(item)
      for (const pointing of this.#pointing.get(item) ?? []) this.#unchecked.add(pointing)
      if (entry.kind === 'decision' && pointsElsewhere(entry)) this.#add(entry)
    }
  }

  #add(decision: Decision): void {
    const { item } = decision
    const targets: number[] = []
    for (const { handle } of claimsOf(decision)) {
      const target = this.#options.find(handle)?.index
      if (target === undefined) this.#unchecked.add(item)
      else {
        targets.push(target)
        this.#pointing.set(target, (this.#pointing.get(target) ?? new Set()).add(item))
      }
    }
    this.#targets.set(item, targets)
  }

  /** True when every line that the item leaves out with this claim is shown where the claim says. */
  #isTrue(item: Item, { handle, lines }: Claim): boolean {
    const target = this.#options.find(handle)
    if (target === undefined) return false
    const standing = this.#options.ledger.of(target.index)
    if (standing === undefined) return true
    const { how } = standing.rendition
    if (how !== 'view' && !pointsElsewhere(standing)) return false
    const claimed = this.#options.operationOf(item)?.reading?.lines ?? null
    if (how === 'pointer' || claimed === null) return false
    const from = lines === null ? 0 : lines.first - claimed.first
    const to = lines === null ? claimed.lines.length : lines.last - claimed.first + 1
    const shown = linesIn(ownText(standing.rendition) ?? '')
    return claimed.lines.slice(from, to).every((line) => shown.has(line.trim()))
  }
}

/** True for pointers, and for reads that show only what no other item shows. */
function pointsElsewhere({ rendition, strategy }: Decision): boolean {
  return rendition.how === 'pointer' || (rendition.how === 'truncated' && strategy === 'files')
}

function claimsOf({ rendition }: Decision): readonly Claim[] {
  return claimsIn(rendition.text ?? '')
}

const lineNumber = /^(?:<[a-z-]+>)?\s*L?\d{1,7}(?:→|\t|\||[:.] ?| {1,2})/

/** The lines of a text, with and without the number that an agent may have written before them. */
function linesIn(text: string): ReadonlySet<string> {
  const lines = new Set([''])
  for (const line of text.split('\n')) {
    lines.add(line.trim())
    lines.add(line.replace(lineNumber, '').trim())
  }
  return lines
}
