import { hash } from 'node:crypto'
import { type ActionOptions, actionOf } from '../actions/action-of.ts'
import { hashOnlyText, isHashOnly } from '../core/render/hash-only.ts'
import type { Action, ShellAction } from '../core/words/action.ts'
import { changedPathsOf, readPaths } from '../core/words/effects.ts'
import type { CallDraft, ItemDraft, MessageDraft } from '../core/words/item.ts'
import { parseJson } from '../core/words/json.ts'
import { setRecent } from '../core/words/recent.ts'
import { matchesFile } from './protection.ts'

/** Files whose contents are recorded as hashes only. The configuration adds others, or excepts some of these with `!`. */
export const usualSecretFiles: readonly string[] = [
  '.env',
  '.env.*',
  '!.env.example',
  '!.env.sample',
  '!.env.template',
  '*.pem',
  '*.p12',
  '*.pfx',
  'id_rsa',
  'id_dsa',
  'id_ecdsa',
  'id_ed25519',
  '.netrc',
  '.pgpass',
  '.aws/credentials',
  '.git-credentials',
]

/**
 * The messages as they are recorded: results that show a secret file, and calls that change one, have a hash in the place of
 * their text. The provider gets the text all the same. The first `known` messages are returned as they are.
 */
export type AsRecorded = (
  messages: readonly MessageDraft[],
  known?: number,
) => readonly MessageDraft[]

/** What of a call and its result is recorded as a hash. */
type Hidden = 'nothing' | 'result' | 'both'

/** The whole history of a session may come with each request, so calls and paths are judged once. */
const mostCalls = 5_000
const longestKept = 4_000
const mostPaths = 20_000

export function createAsRecorded(
  patterns: readonly string[],
  { mappings }: ActionOptions = {},
): AsRecorded {
  if (patterns.length === 0) return (messages) => messages
  const isSecret = remembering(secretNames(patterns), mostPaths)
  const judged = new Map<string, Hidden>()

  function judge(call: CallDraft): Hidden {
    const key = `${call.tool}\n${call.text}`
    const known = judged.get(key)
    if (known !== undefined) return known
    const hidden = hiddenOf(call)
    if (key.length <= longestKept) setRecent(judged, key, hidden, mostCalls)
    return hidden
  }

  function hiddenOf({ tool, text }: CallDraft): Hidden {
    if (isHashOnly(text)) return 'both'
    const action = actionOf({ tool, text }, { mappings })
    if (!namesIn(action, text).some(isSecret)) return 'nothing'
    return onlyLooks(action) ? 'result' : 'both'
  }

  function recorded(item: ItemDraft, callOf: (id: string) => CallDraft | undefined): ItemDraft {
    if (item.kind === 'call') return judge(item) === 'both' ? asHash(item) : item
    if (item.kind !== 'result' && item.kind !== 'attachment') return item
    const call = item.call === undefined ? undefined : callOf(item.call)
    return call === undefined || judge(call) === 'nothing' ? item : asHash(item)
  }

  return (messages, known = 0) => {
    let calls: ReadonlyMap<string, CallDraft> | undefined
    const callOf = (id: string): CallDraft | undefined => {
      calls ??= callsIn(messages)
      return calls.get(id)
    }
    let changed: MessageDraft[] | null = null
    for (let at = known; at < messages.length; at++) {
      const message = messages[at] as MessageDraft
      const items = message.items.map((item) => recorded(item, callOf))
      if (items.every((item, index) => item === message.items[index])) continue
      changed ??= [...messages]
      changed[at] = { ...message, items }
    }
    return changed ?? messages
  }
}

function callsIn(messages: readonly MessageDraft[]): ReadonlyMap<string, CallDraft> {
  const calls = messages.flatMap(({ items }) => items.filter((item) => item.kind === 'call'))
  return new Map(calls.map((call) => [call.call, call]))
}

function asHash<Item extends ItemDraft>(item: Item): Item {
  if (isHashOnly(item.text) || item.text === '') return item
  const text = hashOnlyText(hash('sha256', item.text), item.text.length)
  return { ...item, text, opaque: true }
}

function remembering(test: (name: string) => boolean, most: number): (name: string) => boolean {
  const known = new Map<string, boolean>()
  return (name) => {
    const found = known.get(name) ?? test(name)
    setRecent(known, name, found, most)
    return found
  }
}

/** Fewer plain characters than these say nothing: `*` and `*.*` fit every file. */
const leastPlain = 3

/** Whether a word names a secret file, or is a glob that fits one. */
function secretNames(patterns: readonly string[]): (name: string) => boolean {
  const isSecret = matchesFile(patterns)
  const examples = patterns
    .filter((pattern) => !pattern.startsWith('!'))
    .map((pattern) => pattern.replaceAll(/\*+/g, 'x'))
    .filter(isSecret)
  const fragments = patterns.filter((pattern) => !pattern.startsWith('!')).map(fragmentOf)
  return (name) => {
    const lower = name.toLowerCase()
    // Most words of commands are ruled out so, in a fraction of the time that the globs take.
    if (fragments.some((fragment) => lower.includes(fragment)) && isSecret(name)) return true
    if (!/[*?[{]/.test(name)) return false
    if (name.replaceAll(/[*?[\]{}/]/g, '').length < leastPlain) return false
    const fits = matchesFile([name.slice(name.lastIndexOf('/') + 1)])
    return examples.some((example) => fits(example.slice(example.lastIndexOf('/') + 1)))
  }
}

/** A text that is in every path which fits the pattern; empty where alternatives make that hard to say. */
function fragmentOf(pattern: string): string {
  if (/[[\]{}()|\\]/.test(pattern)) return ''
  const parts = pattern.toLowerCase().split(/[*?/]+/)
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '')
}

const longestText = 20_000
const mostNames = 1_000
const edges = /[\s;&|<>()"'`,=:{}\\]+/

/** Every file that a call may be about. Calls that are known to read or change files name them; of others, every word counts. */
function namesIn(action: Action, input: string): readonly string[] {
  switch (action.kind) {
    case 'read':
    case 'write':
    case 'edit':
    case 'patch':
      return [...readPaths(action), ...changedPathsOf(action)]
    case 'shell':
      return [
        ...readPaths(action),
        ...changedPathsOf(action),
        ...wordsOf(unwritten(action.command)),
      ]
    case 'search':
      return [action.path ?? '', action.include ?? '']
    case 'other':
      return stringsIn(parseJson(input) ?? input).flatMap((text) => [text, ...wordsOf(text)])
    // Lists of files, web pages, task lists and sub-agents show nothing of a file that they name.
    default:
      return []
  }
}

function wordsOf(text: string): readonly string[] {
  const words = text.slice(0, longestText).split(edges, mostNames)
  // `HEAD:.env` and `--file=.env` are split, `@.env` and `file://…` are not.
  return words.flatMap((word) => [word, word.replace(/^[@-]+|^file:\/\//, '')])
}

function stringsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth > 8) return []
  return Object.values(value).flatMap((each) => stringsIn(each, depth + 1))
}

/**
 * The text of a here-document that a command writes to a file may mention any file; a program's may open one. A file that is
 * only loaded into the environment is not shown.
 */
function unwritten(command: string): string {
  return command
    .slice(0, longestText)
    .replaceAll(
      /(\b(?:cat|tee)\b[^\n;&|]*<<-?\s*(['"]?)(\w+)\2[^\n]*\n)[\s\S]*?\n\s*\3(?=\n|$)/g,
      '$1',
    )
    .replaceAll(/(?:(?<=^|[\s;&|(])(?:source|\.)\s+|--env-file[=\s])[^\s;&|]+/g, '')
}

const readers: ReadonlySet<string> = new Set(
  'cat head tail nl sed less more bat grep egrep rg ag wc sort uniq cut tr ls stat file test [ cd pwd diff cmp md5sum sha256sum'.split(
    ' ',
  ),
)

/** Calls like these say which file, and nothing that is in it. */
function onlyLooks(action: Action): boolean {
  if (action.kind === 'shell') return isPlainReading(action)
  return action.kind === 'read' || action.kind === 'search' || action.kind === 'glob'
}

function isPlainReading({ command, changes }: ShellAction): boolean {
  if (changes.length > 0) return false
  if (/<<|>(?!\s*\/dev\/null|&)|[`$]\(/.test(command)) return false
  const parts = command.split(/\|\||&&|[;|\n]/).map((part) => part.trim())
  return parts.every((part) => part === '' || readers.has(part.split(/\s/, 1)[0] ?? ''))
}
