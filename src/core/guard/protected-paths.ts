import type { Action, ShellAction } from '../words/action.ts'
import { parseJson } from '../words/json.ts'
import type { Operation } from '../words/operation.ts'

/** Limits of the search for paths in an input. */
const maxDepth = 8
const longestPath = 1000
const longestCommand = 20_000
const mostNames = 1000

const fileKeys =
  /^(?:.*paths?|(?:.*[_-])?(?:files?|uris?)|(?:file|document)s?(?:[_-]?(?:name|uri)s?)?|include)$/i
/** One word with a dot or a slash; of URLs only `file:`. */
const looksLikePath = /^(?!(?!file:)[a-z][\w+.-]*:\/\/)\S*[./\\]\S*$/i

/**
 * Every file that an operation may be about: the paths that it names, those at any depth of its input, and every word of
 * a command. It returns too many paths rather than too few.
 */
export function protectedPathsOf(
  operation: Pick<Operation, 'action' | 'call' | 'effects'>,
): readonly string[] {
  const { action, call } = operation
  return [...new Set([...operation.effects.named, ...otherPaths(action, call.text)])]
}

function otherPaths(action: Action, input: string): readonly string[] {
  switch (action.kind) {
    case 'shell':
      return wordsOf(action)
    case 'read':
    case 'search':
    case 'other':
      return pathsInInput(input)
    // Writes and edits contain long texts, and all their files are already known.
    default:
      return []
  }
}

/** The words of a command, split roughly as a shell does, and the parts of words that may be a file: `HEAD:.env`. */
function wordsOf({ command, workdir }: ShellAction): readonly string[] {
  const words = new Set<string>()
  const given = command.slice(0, longestCommand).replaceAll(hereDocument, '$1')
  for (const word of given.split(/[\s;&|<>()"'`,]+/)) {
    if (words.size >= mostNames) break
    for (const part of [word, ...word.split(/[=:]/), word.replaceAll(/\\(?=.)/g, '')]) {
      if (part === '' || part.startsWith('-') || part.length > longestPath) continue
      words.add(part)
    }
  }
  const inFolder = workdir === null ? [] : [...words].map((word) => `${workdir}/${word}`)
  return [...words, ...inFolder]
}

/** The text of a here-document is not part of the command, so it is skipped. */
const hereDocument = /(<<-?\s*(['"]?)(\w+)\2[^\n]*\n)[\s\S]*?\n\s*\3(?=\n|$)/g

function pathsInInput(text: string): readonly string[] {
  const paths: string[] = []
  collect(parseJson(text), { isFile: false, depth: 0 }, paths)
  return paths
}

interface Position {
  /** True under a key that names files. */
  readonly isFile: boolean
  readonly depth: number
}

function collect(value: unknown, { isFile, depth }: Position, paths: string[]): void {
  if (depth > maxDepth || paths.length >= mostNames) return
  if (typeof value === 'string') {
    if (value.length <= longestPath && (isFile || looksLikePath.test(value))) paths.push(value)
    return
  }
  if (typeof value !== 'object' || value === null) return
  const below = depth + 1
  if (Array.isArray(value)) {
    for (const each of value) collect(each, { isFile, depth: below }, paths)
    return
  }
  for (const [key, member] of Object.entries(value)) {
    collect(member, { isFile: fileKeys.test(key), depth: below }, paths)
  }
}
