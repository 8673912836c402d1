import { isElliptical } from '../understand/correction-cues.ts'
import type { Statement } from './statement.ts'
import { sameSlot, sharedTopic, topicOf } from './topic.ts'

/** Kinds of values (amounts, times, numbered names). An elliptical update (`make that $50`) replaces one of its kind. */
const figures: readonly RegExp[] = [
  /[$€£]\s?\d/,
  /\b\d+(?:\.\d+)?\s?%/,
  /\b\d{1,2}(?::\d\d)?\s?(?:am|pm)\b/i,
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|\bweek\b/i,
  /\b\d[\d,.]*\b/,
]
const statedOld =
  /\b(?:the (?:old |previous |original )?value was|was previously|it was|instead of)\s*:?\s*(?<old>[^.!?]{3,80})/i
const quotedOld = /['"“‘](?<old>[^'"”’]{6,200})['"”’]/
const invalidates =
  /\b(?:incorrect|wrong|invalid|outdated|recalculat|no longer (?:valid|true)|mistaken)/i

/** The statements that still hold, in the order they were said. */
export function currentStatements(statements: readonly Statement[]): readonly Statement[] {
  const gone = new Set<Statement>()
  for (const [index, statement] of statements.entries()) {
    if (!canReplace(statement)) continue
    const earlier = statements.slice(0, index).filter((other) => !gone.has(other))
    for (const old of replacedBy(statement, earlier)) drop(old, statements, gone, statement)
  }
  return statements.filter(
    (statement) =>
      !gone.has(statement) &&
      !statement.marks.past &&
      !statement.marks.chatter &&
      !statement.marks.tentative,
  )
}

function canReplace(statement: Statement): boolean {
  const { marks, slot, rank } = statement
  return (
    marks.update ||
    marks.choice ||
    slot !== undefined ||
    rank > 0 ||
    explicitOld(statement) !== undefined
  )
}

/** The earlier value that a sentence names explicitly. */
function explicitOld({ text }: Statement): string | undefined {
  const stated = statedOld.exec(text)?.groups?.old
  if (stated !== undefined) return stated
  return invalidates.test(text) ? quotedOld.exec(text)?.groups?.old : undefined
}

function replacedBy(statement: Statement, earlier: readonly Statement[]): readonly Statement[] {
  const { marks } = statement
  const before = earlier.filter((other) => other.aside === statement.aside)
  const said = before.filter((other) => other.message < statement.message || marks.update)
  const explicit = explicitOld(statement)
  const found = new Set<Statement>()
  if (explicit !== undefined) for (const old of containing(earlier, explicit)) found.add(old)
  if (marks.tentative || marks.chatter) return [...found]
  const { slot } = statement
  for (const old of said) {
    if (old === statement) continue
    const sameSubject = slot !== undefined && old.slot !== undefined && sameSlot(slot, old.slot)
    if (sameSubject && slot.value !== old.slot?.value && old.message < statement.message) {
      found.add(old)
      for (const other of containing(earlier, old.slot!.value)) found.add(other)
    }
    if (marks.choice && old.marks.choice && old.message < statement.message) found.add(old)
  }
  for (const old of earlierSteps(statement, said)) found.add(old)
  for (const old of outranked(statement, earlier)) found.add(old)
  if (marks.update && found.size === 0) for (const old of updated(statement, said)) found.add(old)
  return [...found]
}

/** What an update replaces: the statements that share its topic, or the last one when it names none. */
function updated(statement: Statement, said: readonly Statement[]): readonly Statement[] {
  const open = said.filter(
    (other) =>
      !other.marks.chatter &&
      !other.marks.tentative &&
      (other.message < statement.message || other.marks.update),
  )
  const scored = open
    .map((other) => ({ other, shared: sharedTopic(statement.topic, other.topic) }))
    .filter(({ shared }) => shared > 0)
  const most = Math.max(0, ...scored.map(({ shared }) => shared))
  const close = scored.filter(({ shared }) => shared >= Math.max(1, most - 1) && shared * 2 >= most)
  if (close.length > 0 && !isElliptical(statement.text)) return close.map(({ other }) => other)
  const kind = figures.find((pattern) => pattern.test(statement.text))
  const last = open.findLast((other) => kind?.test(other.text) ?? true) ?? open.at(-1)
  return [...close.map(({ other }) => other), ...(last ? [last] : [])]
}

/** Earlier steps of one account: `first it was A, then B, but now it is C`. */
function earlierSteps(statement: Statement, said: readonly Statement[]): readonly Statement[] {
  const kind = figures.find((pattern) => pattern.test(statement.text))
  if (!kind || !statement.marks.update) return []
  return said.filter(
    (other) => other.message === statement.message && other.marks.update && kind.test(other.text),
  )
}

const figure =
  /[$€£]\s?\d[\d.,]*\s?[kKmM]?\b|\b\d+(?:\.\d+)?\s?%|\b\d+\s(?:days?|weeks?|months?|hours?|years?)\b/g

/** What a lower-ranked speaker demanded on the same topic, and every mention of that amount. */
function outranked(statement: Statement, earlier: readonly Statement[]): readonly Statement[] {
  if (statement.rank === 0) return []
  return earlier
    .filter(
      (other) =>
        other.rank > 0 &&
        other.rank < statement.rank &&
        other.message < statement.message &&
        sharedTopic(statement.topic, other.topic) >= 2,
    )
    .flatMap((other) => {
      const figures = other.text.match(figure) ?? []
      const own = new Set(statement.text.match(figure) ?? [])
      const mentions = figures
        .filter((amount) => !own.has(amount))
        .flatMap((amount) =>
          earlier.filter(({ text, rank }) => rank === 0 && text.includes(amount)),
        )
      return [other, ...mentions]
    })
}

function containing(statements: readonly Statement[], phrase: string): readonly Statement[] {
  const plain = phrase.trim().toLowerCase()
  const words = topicOf(phrase)
  return statements.filter(
    (other) =>
      other.text.toLowerCase().includes(plain) ||
      (words.size >= 2 && sharedTopic(words, other.topic) === words.size),
  )
}

/** Drops a statement and the statements derived from it. */
function drop(
  old: Statement,
  statements: readonly Statement[],
  gone: Set<Statement>,
  by: Statement,
): void {
  gone.add(old)
  const index = statements.indexOf(old)
  for (const next of statements.slice(index + 1)) {
    if (next === by || gone.has(next) || next.message >= by.message) break
    const beside = next.message === old.message && sharedTopic(next.topic, old.topic) > 0
    const names = /\d|(?<=\s)\p{Lu}/u.test(next.text)
    const follows = next.marks.derived && next.message <= old.message + 1
    if (follows || beside || (next.message === old.message && !names)) gone.add(next)
    else if (next.message > old.message) break
  }
}

/** Returns a test for texts that were later called wrong. */
export function explicitlyDenied(statements: readonly Statement[]): (text: string) => boolean {
  const denied = statements.flatMap((statement) => {
    const old = explicitOld(statement)
    return old === undefined ? [] : [old.trim().toLowerCase()]
  })
  return (text) => denied.some((old) => text.toLowerCase().includes(old))
}
