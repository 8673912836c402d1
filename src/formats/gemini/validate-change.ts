import type { Body, ValidateOptions, Violation } from '../format.ts'
import { parseBody, sameJson } from '../json-value.ts'
import { addAll, violationOf } from '../rule.ts'
import { sameProse } from '../same-prose.ts'
import * as rules from './rules.ts'
import { contentsOf, type PlacedContent, type PlacedPart, viewContents } from './validate-view.ts'

/**
 * What the change from `before` to `after` may not have done: altered thought signatures, moved contents or parts,
 * touched ids or what the user wrote. `after` may go on after the end of `before`. A body that cannot be read has
 * nothing to compare.
 */
export function validateChange(
  before: Body,
  after: Body,
  _options: ValidateOptions = {},
): readonly Violation[] {
  const [old, changed] = [contentsIn(before), contentsIn(after)]
  if (old === null || changed === null) return []
  const found: Violation[] = []
  for (const [index, content] of old.entries()) {
    const counterpart = changed[index]
    if (counterpart === undefined || counterpart.role !== content.role) {
      return [...found, violationOf(rules.contentsMoved, content.where)]
    }
    const isLast = index === old.length - 1
    addAll(found, checkContent(content, counterpart, { isLast }))
  }
  return found
}

function contentsIn(source: Body): readonly PlacedContent[] | null {
  const parsed = parseBody(source)
  const contents = parsed.kind === 'object' ? contentsOf(parsed.body) : null
  return contents === null ? null : viewContents(contents)
}

function checkContent(
  old: PlacedContent,
  changed: PlacedContent,
  { isLast }: { readonly isLast: boolean },
): readonly Violation[] {
  const found: Violation[] = []
  const known = new Set(old.parts.map(({ signature }) => signature))
  let next = 0
  for (const part of old.parts) {
    const counterpart = changed.parts[next]
    if (isReasoning(part) && !isStillThere(part, counterpart, known)) continue
    next++
    if (counterpart === undefined) {
      const rule = part.kind === 'other' ? rules.opaquePartChanged : rules.contentsMoved
      return [...found, violationOf(rule, part.where)]
    }
    addAll(found, checkPart(part, counterpart, old.role))
  }
  const added = changed.parts[next]
  if (added !== undefined && !isLast) found.push(violationOf(rules.contentsMoved, added.where))
  return found
}

/** Thoughts, and the empty text that holds nothing but their signature, may go. */
function isReasoning({ kind, part, signature }: PlacedPart): boolean {
  return kind === 'thought' || (kind === 'text' && part.text === '' && signature !== '')
}

/** False when the thought was left out, so that a later one of the old parts, or something else, stands in its place. */
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
