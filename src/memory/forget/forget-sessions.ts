import type { ItemDraft } from '../../core/words/item.ts'
import type { Store, StoredSession, TextEdit } from '../../store/store.ts'
import type { ItemSource } from '../item.ts'
import type { ForgetTarget } from './forget-matching.ts'
import { contains, findLines, findWords, type Span } from './forgotten-words.ts'
import { redactFound } from './redact-text.ts'
import { findStatements } from './short-texts.ts'

/** Removes the target's text from stored sessions. Returns the ids of those that had it. */
export async function forgetInSessions(
  store: Store,
  target: Omit<ForgetTarget, 'items'>,
): Promise<readonly string[]> {
  if (target.words.length + target.contents.length === 0) return []
  const changed: string[] = []
  for (const session of await store.sessions())
    if (await store.redact(session, editOf(session, target))) changed.push(session.id)
  return changed
}

/** A memory tool, with any prefix that a client adds to its name. */
const memoryTool = /(?:^|[^a-z])memory_[a-z]+$/i
/** The memory commands and resources. */
const memoryWords = /\bpalimpsest(?::\/\/|\.js\s+|\s+)memory\b/i

function editOf(
  session: StoredSession,
  { words, shortTexts, contents }: Omit<ForgetTarget, 'items'>,
): TextEdit {
  const findEverywhere = findWords(words)
  const findContents = findWords([...words, ...contents])
  const itself = findStatements(shortTexts)
  const sourced = shortTexts.flatMap(({ text, sources }) => {
    const here = sources.filter((source) => source.session === session.id)
    return here.length === 0 ? [] : [{ here, isSaid: contains(findWords([text])) }]
  })
  /** Ids of calls to memory tools, to recognise their results. */
  const memoryCalls = new Set<string>()

  const isAboutMemory = (item: ItemDraft): boolean => {
    if (item.kind === 'result') return memoryCalls.has(item.call)
    if (item.kind !== 'call') return false
    if (!memoryTool.test(item.tool) && !memoryWords.test(item.text)) return false
    memoryCalls.add(item.call)
    return true
  }
  const findHere = (text: string, role: string, id: string | undefined): readonly Span[] => [
    ...findEverywhere(text),
    ...itself(text, role),
    ...sourced.flatMap(({ here, isSaid }) =>
      here.some((source) => isFrom(source, role, id)) ? findLines(text, isSaid) : [],
    ),
  ]
  return (text, place) => {
    if (place === undefined) return redactFound(findEverywhere)(text)
    const { item, message } = place
    if (isAboutMemory(item)) return redactFound(findContents)(text)
    const isProse = item.kind === 'text' || item.kind === 'reasoning'
    if (!isProse) return redactFound(findEverywhere)(text)
    return redactFound((part) => findHere(part, message.role, message.id))(text)
  }
}

/** When the record has no message ids, every message of the same speaker in that session counts. */
function isFrom(source: ItemSource, role: string, id: string | undefined): boolean {
  if (id !== undefined && source.message !== undefined) return id === source.message
  // Claims of the extraction model come from user messages.
  return (source.origin === 'model' ? 'user' : source.origin) === role
}
