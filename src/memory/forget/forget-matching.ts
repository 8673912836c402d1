import { comparable } from '../comparable.ts'
import type { ItemSource, MemoryItem } from '../item.ts'
import type { Memory } from '../memory.ts'
import { chainOf } from '../state/chain.ts'
import { type HeardMessage, heardKey } from '../state/event.ts'
import type { MemoryState } from '../state/memory-state.ts'
import { markdownLine } from '../transfer/markdown.ts'
import { contains, findWords, isName, isSpecific } from './forgotten-words.ts'
import { containsStatement } from './short-texts.ts'

export interface ForgetInput {
  readonly ids?: readonly string[]
  /** Every item and message that contains these words, whatever their case; short ones as whole words. */
  readonly search?: string
  /** Every item about this subject, attribute or category. */
  readonly subject?: string
  /** False for items that must not be forgotten, even when they have the same words. */
  readonly isMeant?: (item: MemoryItem) => boolean
}

/** A text so short that it also occurs in unrelated places. */
export interface ShortText {
  /** In lower case. */
  readonly text: string
  readonly attribute: string | undefined
  readonly value: string | undefined
  /** The messages it comes from. */
  readonly sources: readonly ItemSource[]
}

/** What a request to forget covers. */
export interface ForgetTarget {
  readonly items: readonly string[]
  /** Any text with these words is redacted. In lower case, except names. */
  readonly words: readonly string[]
  /** Redacted only in the source message, alone on a line, or in a line that states the same. */
  readonly shortTexts: readonly ShortText[]
  /** All texts of the items, for calls and results of memory tools. */
  readonly contents: readonly string[]
}

export function forgetTarget(
  state: MemoryState,
  { ids = [], search, subject, isMeant = () => true }: ForgetInput,
): ForgetTarget {
  const items = new Set(ids.filter((id) => state.items.has(id)))
  const isSaid = search === undefined ? () => false : contains(findWords([search.toLowerCase()]))
  const about = subject === undefined ? undefined : comparable(subject)
  for (const [id, { item, reinforcements }] of state.items) {
    const quotes = reinforcements.flatMap(({ source }) => source.quote ?? [])
    if ([...contentsOf(item), ...quotes].some(isSaid)) items.add(id)
    const names = [item.subject, item.attribute, item.category, item.value]
    if (
      about !== undefined &&
      names.some((name) => name !== undefined && comparable(name) === about)
    )
      items.add(id)
  }
  for (const id of [...items]) for (const same of withSameWords(state, id)) items.add(same)
  for (const id of [...items]) if (!isMeant(state.items.get(id)!.item)) items.delete(id)
  return { items: [...items], ...wordsOf(state, items, search) }
}

function wordsOf(
  state: MemoryState,
  items: ReadonlySet<string>,
  search: string | undefined,
): Omit<ForgetTarget, 'items'> {
  const words = new Set<string>(search === undefined ? [] : [search.trim().toLowerCase()])
  const contents = new Set<string>(words)
  const shortTexts: ShortText[] = []
  for (const id of items) {
    const { item, reinforcements } = state.items.get(id)!
    const sources = [item.source, ...reinforcements.map(({ source }) => source)]
    const quotes = sources.flatMap(({ quote }) => quote ?? [])
    for (const content of [...contentsOf(item), ...quotes]) contents.add(content.toLowerCase())
    for (const text of [item.text, item.rationale, markdownLine(item), ...quotes]) {
      if (text === undefined || text.trim() === '') continue
      const plain = text.trim().toLowerCase()
      if (isSpecific(plain)) words.add(plain)
      else if (isName(text)) words.add(text.trim())
      else shortTexts.push({ text: plain, attribute: item.attribute, value: item.value, sources })
    }
  }
  return { words: [...words], shortTexts, contents: [...contents] }
}

/** The texts of an item without category, subject and attribute. */
function contentsOf(item: MemoryItem): readonly string[] {
  const { text, value, rationale, alternatives = [], relatedFiles = [], source } = item
  return [text, value, rationale, ...alternatives, ...relatedFiles, source.quote].filter(
    (content) => content !== undefined,
  )
}

/** Earlier and later members of an item's chain with the same words: `tabs`, then spaces, then `tabs` again. */
function withSameWords(state: MemoryState, id: string): readonly string[] {
  const said = comparable(state.items.get(id)!.item.text)
  return chainOf(state, id).flatMap(({ item }) => (comparable(item.text) === said ? [item.id] : []))
}

/** The stored messages that contain what is to be forgotten. */
export function messagesToForget(
  state: MemoryState,
  { words, shortTexts }: ForgetTarget,
): readonly HeardMessage[] {
  const isSaid = contains(findWords(words))
  const isCopy = containsStatement(shortTexts)
  return [...state.heard.values()].filter(({ text, role }) => isSaid(text) || isCopy(text, role))
}

/** Forgets items and every message with the same words. Returns the ids of the items. */
export function forgetMatching(memory: Memory, input: ForgetInput): readonly string[] {
  const { state } = memory
  const target = forgetTarget(state, input)
  const messages = messagesToForget(state, target).map(heardKey)
  return memory.forget(target.items, { messages, isSaid: contains(findWords(target.words)) })
}
