import { oneLine } from './cut.ts'

/** How many places in a call's input are looked at, so that a long input costs little. */
const mostPlaces = 20

/**
 * A path as the agent wrote it in a call. The core works with canonical paths, which may be absolute; the model knows the
 * path that it used itself. The canonical path when the input has no other spelling of it.
 */
export function pathAsWritten(path: string, input: string): string {
  const isWindows = input.includes(escapedBackslash)
  for (let at = 0; at !== -1 && at < path.length; at = path.indexOf('/', at + 1)) {
    const part = at === 0 ? path : path.slice(at + 1)
    const written = findIn(input, part) ?? (isWindows ? findWindowsPath(input, part) : null)
    if (written !== null) return oneLine(written)
  }
  return oneLine(path)
}

/** A backslash as JSON writes it. */
const escapedBackslash = '\\\\'

/** The same, written with backslashes and either case of the drive. */
function findWindowsPath(input: string, part: string): string | null {
  const spelling = part.replaceAll('/', escapedBackslash)
  const drive = /^[a-z]:/.exec(spelling)?.[0] ?? ''
  const found =
    findIn(input, spelling) ?? findIn(input, drive.toUpperCase() + spelling.slice(drive.length))
  return found?.replaceAll(escapedBackslash, '\\') ?? null
}

/** The path in the input that ends with this part and has nothing else before it than `./`, `../` or `~/`. */
function findIn(input: string, part: string): string | null {
  if (part === '') return null
  let found = input.indexOf(part)
  for (let places = 0; found !== -1 && places < mostPlaces; places++) {
    const end = found + part.length
    const lead =
      /(?:~\/|(?:\.{1,2}\/)+)$/.exec(input.slice(Math.max(0, found - 40), found))?.[0] ?? ''
    const before = input[found - lead.length - 1]
    const isWhole =
      (before === undefined || isBoundary(input, found - lead.length)) &&
      !/[\w/-]/.test(input[end] ?? '')
    if (isWhole) return input.slice(found - lead.length, end)
    found = input.indexOf(part, found + 1)
  }
  return null
}

/** True unless a longer path or name begins before this place. An escaped line break ends a name. */
function isBoundary(input: string, at: number): boolean {
  const before = input.slice(Math.max(0, at - 2), at)
  if (before === escapedBackslash) return false
  if (/\\[nrt]$/.test(before)) return true
  return !/[\w.~@+/-]/.test(input[at - 1] ?? '')
}
