import type { Violation } from '../format.ts'
import { sameJson } from '../json-value.ts'
import { violationOf } from '../rule.ts'
import { sameProse } from '../same-prose.ts'
import * as rules from './rules.ts'
import type { GeminiRequest, PlacedContent, PlacedPart } from './validate-view.ts'

/** Reports changes to thought signatures, order, ids or user text. */
export function* compare(old: GeminiRequest, changed: GeminiRequest): Generator<Violation> {
  for (const [index, content] of old.contents.entries()) {
    const counterpart = changed.contents[index]
    if (counterpart === undefined || counterpart.role !== content.role) {
      yield violationOf(rules.contentsMoved, content.where)
      return
    }
    const isLast = index === old.contents.length - 1
    yield* checkContent(content, counterpart, { isLast })
  }
}

function* checkContent(
  old: PlacedContent,
  changed: PlacedContent,
  { isLast }: { readonly isLast: boolean },
): Generator<Violation> {
  const known = new Set(old.parts.map(({ signature }) => signature))
  let next = 0
  for (const part of old.parts) {
    const counterpart = changed.parts[next]
    if (isReasoning(part) && !isStillThere(part, counterpart, known)) continue
    next++
    if (counterpart === undefined) {
      const rule = part.kind === 'other' ? rules.opaquePartChanged : rules.contentsMoved
      yield violationOf(rule, part.where)
      return
    }
    yield* checkPart(part, counterpart, old.role)
  }
  const added = changed.parts[next]
  if (added !== undefined && !isLast) yield violationOf(rules.contentsMoved, added.where)
}

/** True for thoughts and for empty texts with a signature, which may be removed. */
function isReasoning({ kind, part, signature }: PlacedPart): boolean {
  return kind === 'thought' || (kind === 'text' && part.text === '' && signature !== '')
}

/** False if the thought was removed, so another part is in its place. */
function isStillThere(
  part: PlacedPart,
  other: PlacedPart | undefined,
  known: ReadonlySet<string>,
): boolean {
  if (other === undefined || other.kind !== part.kind || !isReasoning(other)) return false
  return part.signature === other.signature || !known.has(other.signature)
}

function checkPart(old: PlacedPart, changed: PlacedPart, role: string): readonly Violation[] {
  const { where } = changed
  if (old.kind === 'other') {
    return sameJson(old.part, changed.part) ? [] : [violationOf(rules.opaquePartChanged, where)]
  }
  const standsIn = old.kind === 'data' && changed.kind === 'text'
  if (old.kind !== changed.kind && !standsIn) return [violationOf(rules.contentsMoved, where)]
  const isBound = old.signature !== '' && !sameJson(old.part, changed.part)
  if (old.signature !== changed.signature || isBound) {
    return [violationOf(rules.thoughtSignatureAltered, where)]
  }
  if (old.kind === 'text' && role !== 'model' && !sameProse(old.part.text, changed.part.text)) {
    return [violationOf(rules.userTextChanged, where)]
  }
  const isNamed = old.kind === 'call' || old.kind === 'response'
  if (isNamed && ['id', 'name'].some((key) => old.held[key] !== changed.held[key])) {
    return [violationOf(rules.idsChanged, where)]
  }
  return []
}
