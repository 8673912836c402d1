import { indentOf } from './clean-lines.ts'
import { cachedByLine } from './line-words.ts'

/** Text nested deeper than this gets no further headings. */
const mostLevels = 6
/** The keys that name a record in JSON or YAML. */
const identity =
  /^\s*[-{ ]*"?(?:name|id|key|path|title|arn|file|filename|resource|kind|\w*(?:Name|Id|Arn|_name|_id))"?\s*[:=]/
const mostSiblings = 40
const mostIdentities = 3

/**
 * Adds headings to lines, directly before them: the less indented lines above, and in a record the lines that name it.
 */
export function createHeadings(
  lines: readonly string[],
): (chosen: readonly number[]) => readonly number[] {
  const parents = parentsOf(lines)
  const isTitle = cachedByLine((at) => title.test((lines[at] as string).slice(0, 100)))
  const isIdentity = cachedByLine((at) => identity.test((lines[at] as string).slice(0, 200)))
  return (chosen) => {
    const ordered = new Set<number>()
    for (const at of chosen) {
      if (ordered.has(at)) continue
      const above: number[] = []
      for (let up = parents[at] as number; up !== -1; up = parents[up] as number) above.push(up)
      for (const heading of above.slice(0, mostLevels).reverse()) ordered.add(heading)
      const titled = titleAbove(above.at(-1) ?? at, isTitle)
      if (titled !== null) ordered.add(titled)
      if (above.length > 0)
        for (const sibling of identitiesBeside(at, parents, isIdentity)) ordered.add(sibling)
      ordered.add(at)
    }
    return [...ordered]
  }
}

/** For each line, the nearest less indented line above it, or -1. Empty lines are skipped. */
function parentsOf(lines: readonly string[]): Int32Array {
  const parents = new Int32Array(lines.length).fill(-1)
  const open: { readonly at: number; readonly indent: number }[] = []
  lines.forEach((line, at) => {
    const indent = indentOf(line)
    if (indent === line.length) return
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop()
    parents[at] = open.at(-1)?.at ?? -1
    open.push({ at, indent })
  })
  return parents
}

/** The unindented line that names a record of several parts, as `kubectl describe` and `git log` print them. */
const title = /^(?:name|id|file|path|host|commit|resource|url|test|container|service)\b[: ]+\S/i
const mostToTitle = 80

function titleAbove(at: number, isTitle: (line: number) => boolean): number | null {
  for (let up = at; up >= Math.max(0, at - mostToTitle); up--) if (isTitle(up)) return up
  return null
}

function identitiesBeside(
  at: number,
  parents: Int32Array,
  isIdentity: (line: number) => boolean,
): readonly number[] {
  const found: number[] = []
  const parent = parents[at] as number
  const last = Math.min(parents.length - 1, at + mostSiblings)
  for (let next = Math.max(parent + 1, at - mostSiblings); next <= last; next++) {
    if (next > at && parents[next] !== parent && (parents[next] as number) < at) break
    if (parents[next] === parent && isIdentity(next)) found.push(next)
    if (found.length === mostIdentities) break
  }
  return found
}
