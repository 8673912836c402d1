import { arrayOf, isJsonObject, objectOf } from '../../src/core/words/json.ts'

/** The paths at which two JSON values differ, each as deep as it goes. */
export function differences(before: unknown, after: unknown, path = ''): readonly string[] {
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) return [path]
    return before.flatMap((value, index) => differences(value, after[index], `${path}.${index}`))
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names].flatMap((name) => differences(before[name], after[name], `${path}.${name}`))
  }
  return before === after ? [] : [path]
}

/** What is left of two texts once their common beginning and their common end are taken off. */
export function changedSpan(
  before: string,
  after: string,
): { readonly before: string; readonly after: string } {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  return {
    before: before.slice(start, before.length - end),
    after: after.slice(start, after.length - end),
  }
}

/** The text of the message or block that a path lies in: `messages.3.content.0`, `messages.3`, `input.3`. */
export function blockAt(body: unknown, path: string): string {
  const steps = path.split('.').slice(1)
  const message: unknown = arrayOf(objectOf(body)[steps[0]!])[Number(steps[1])]
  const isBlock = steps[2] === 'content' && steps[3] !== undefined && steps[4] !== undefined
  return JSON.stringify(isBlock ? arrayOf(objectOf(message).content)[Number(steps[3])] : message)
}
