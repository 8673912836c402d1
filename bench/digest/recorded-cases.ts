import { existsSync } from 'node:fs'
import path from 'node:path'
import { createUnderstanding } from '../../src/actions/understand.ts'
import { findFiles, openRecording } from '../../src/cli/recording-files.ts'
import type { ItemDraft, MessageDraft, Role } from '../../src/core/words/item.ts'
import type { Recording } from '../../src/recordings/recording.ts'
import type { Decisive, DigestCase } from './digest-case.ts'

const corpora = ['../shared/corpus', '../shared/corpus-2']
/** Shorter output is not digested by length alone. */
const leastChars = 8_000
const messagesAhead = 15
const shortestLine = 12
/** A name in more lines of the output does not point at one of them. */
const mostLines = 2
const longestLine = 160

/** Large shell outputs of recorded sessions; none when the corpora are not present. */
export async function recordedCases(): Promise<readonly DigestCase[]> {
  const cases: DigestCase[] = []
  for (const corpus of corpora) {
    if (!existsSync(corpus)) continue
    for (const { file } of await findFiles(corpus)) {
      if (/\.(?:tsv|md)$/.test(file)) continue
      const { recordings } = await openRecording(file)
      const name = `${path.basename(corpus)}/${path.relative(corpus, file)}`
      for (const [ordinal, recording] of recordings.entries())
        cases.push(...casesOf(recording, `${name}#${ordinal}`))
    }
  }
  return cases
}

type Placed = ItemDraft & { readonly message: number; readonly role: Role }

/** A line is decisive when the session later used a name that only this output had brought. */
export function casesOf(recording: Recording, name: string): readonly DigestCase[] {
  const messages = recording.events.flatMap((event): readonly MessageDraft[] =>
    event.kind === 'message' ? [event.message] : [],
  )
  const items = messages.flatMap(({ role, items }, message) =>
    items.map((item): Placed => ({ ...item, message, role })),
  )
  const understanding = createUnderstanding({ cwd: recording.cwd })
  const calls = new Map<string, { readonly tool: string; readonly text: string }>()
  const seen = new Set<string>()
  const cases: DigestCase[] = []
  let request: string | null = null
  for (const [index, item] of items.entries()) {
    if (item.kind === 'call') calls.set(item.call, { tool: item.tool, text: item.text })
    if (item.kind === 'text' && item.role === 'user') request = item.text
    const call = item.kind === 'result' ? calls.get(item.call) : undefined
    if (item.kind === 'result' && call !== undefined && item.text.length > leastChars) {
      const action = understanding.action(call)
      // Exact file text is shown whole.
      const isFile =
        action.kind === 'shell' &&
        action.changes.length === 0 &&
        action.reads.length > 0 &&
        action.reads.every(({ exact }) => exact)
      if (action.kind === 'shell' && !action.continues && !isFile) {
        const decisive = usedLines(
          item.text,
          seen,
          laterNames(items.slice(index + 1), item.message),
        )
        const status = item.status === 'error' ? 'error' : 'completed'
        if (decisive.length > 0)
          cases.push({
            id: `${name}:${index}`,
            family: 'recorded',
            program: 'recorded',
            command: action.command,
            request,
            status,
            text: item.text,
            decisive,
          })
      }
    }
    for (const found of namesOf(item.text)) addSuffixes(seen, found)
  }
  return cases
}

function laterNames(items: readonly Placed[], after: number): ReadonlySet<string> {
  const names = new Set<string>()
  for (const item of items) {
    if (item.message > after + messagesAhead) break
    const isUse = item.kind === 'call' || (item.kind === 'text' && item.role === 'assistant')
    if (isUse) for (const found of namesOf(item.text)) addSuffixes(names, found)
  }
  return names
}

function usedLines(
  text: string,
  seen: ReadonlySet<string>,
  later: ReadonlySet<string>,
): readonly Decisive[] {
  const lines = text.split('\n')
  const places = new Map<string, number[]>()
  for (const [line, content] of lines.entries())
    for (const name of new Set(namesOf(content))) {
      const found = places.get(name) ?? []
      found.push(line)
      places.set(name, found)
    }
  const decisive = new Map<number, Decisive>()
  for (const [name, found] of places) {
    if (found.length > mostLines || seen.has(name) || !later.has(name)) continue
    for (const line of found) {
      const content = lines[line]!.trim()
      if (content.length < shortestLine || decisive.has(line)) continue
      const facts = content.length > longestLine ? { facts: [name] } : {}
      decisive.set(line, { line, kind: 'used', ...facts })
    }
  }
  return [...decisive.values()].sort((one, other) => one.line - other.line)
}

/** Paths and identifiers that are not plain words. */
function namesOf(text: string): readonly string[] {
  return (text.match(/[\w./@-]{6,120}/g) ?? [])
    .map((word) => word.replace(/^[./-]+|[./-]+$/g, ''))
    .filter((word) => word.length >= 6 && /[\d_./-]|[a-z][A-Z]/.test(word) && /[a-z]/i.test(word))
}

/** A path may be written with or without its first folders. */
function addSuffixes(names: Set<string>, name: string): void {
  for (let rest = name; ; ) {
    names.add(rest)
    const slash = rest.indexOf('/')
    if (slash < 0) return
    rest = rest.slice(slash + 1)
  }
}
