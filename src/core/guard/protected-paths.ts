import type { Action, ShellAction } from '../words/action.ts'
import { parseJson } from '../words/json.ts'
import { pathsOf } from '../words/named-paths.ts'
import type { CallItem, Operation } from '../words/operation.ts'

/** What is deeper, longer or more than this names no file that somebody protects. */
const deepest = 8
const longestPath = 1000
const longestCommand = 20_000
const mostNames = 1000

const fileKeys =
  /^(?:.*paths?|(?:.*[_-])?(?:files?|uris?)|(?:file|document)s?(?:[_-]?(?:name|uri)s?)?|include)$/i
/** A name with an ending or a folder, and no other words; of addresses only those of files. */
const looksLikePath = /^(?!(?!file:)[a-z][\w+.-]*:\/\/)\S*[./\\]\S*$/i

/** By call, because every strategy that has something to propose asks. */
const known = new WeakMap<CallItem, readonly string[]>()

/**
 * Every file that an operation may be about, for those who would rather protect too much: what it names itself, what its
 * input names at any depth, and the words of a command, understood or not.
 */
export function protectedPathsOf(operation: Pick<Operation, 'action' | 'call'>): readonly string[] {
  const { action, call } = operation
  const before = known.get(call)
  if (before !== undefined) return before
  const paths = [...new Set([...pathsOf(operation), ...pathsBesides(action, call)])]
  known.set(call, paths)
  return paths
}

function pathsBesides(action: Action, call: CallItem): readonly string[] {
  switch (action.kind) {
    case 'shell':
      return wordsOf(action)
    case 'read':
    case 'search':
    case 'other':
      return pathsInInput(call.text)
    // What the others carry is long, and all files that they are about are known.
    default:
      return []
  }
}

/** The words of a command as a shell would have them, about, and of each the parts that may be a file: `HEAD:.env`. */
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

/** What is given to a command as its input names no file of the command's. */
const hereDocument = /(<<-?\s*(['"]?)(\w+)\2[^\n]*\n)[\s\S]*?\n\s*\3(?=\n|$)/g

function pathsInInput(text: string): readonly string[] {
  const paths: string[] = []
  collect(parseJson(text), { isFile: false, depth: 0 }, paths)
  return paths
}

interface Place {
  /** True under a key that names files. */
  readonly isFile: boolean
  readonly depth: number
}

function collect(value: unknown, { isFile, depth }: Place, paths: string[]): void {
  if (depth > deepest || paths.length >= mostNames) return
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
