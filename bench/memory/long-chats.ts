import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Memory } from '../../src/memory/memory.ts'
import { observe } from '../../src/memory/observe.ts'
import { searchMemory } from '../../src/memory/search/search.ts'
import { freshMemory, type Measure, percent } from './measure.ts'

const place = { project: 'bench', session: 'bench' } as const

/**
 * A message of a chat. `e3` gives a value and `l3` a later one, `c2` says something and `d2` denies it, `n` belongs to
 * nothing else.
 */
interface ChatLine {
  readonly label: string
  readonly text: string
  readonly value: string
  readonly question: string
}

function readChats(group: 'train' | 'fresh'): readonly (readonly ChatLine[])[] {
  const chats: ChatLine[][] = []
  const file = path.join('bench', 'memory', 'chats', `${group}.txt`)
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line.startsWith('#')) chats.push([])
    if (line === '' || line.startsWith('#')) continue
    const [label = '', text = '', value = '', question = ''] = line.split(' | ')
    chats.at(-1)!.push({ label, text, value, question })
  }
  return chats
}

const earlierLabel: Readonly<Record<string, string>> = { l: 'e', d: 'c' }

interface Counts {
  updates: number
  updated: number
  denials: number
  flagged: number
  wrong: number
  pairs: number
  newestFound: number
  staleAbove: number
}

function readChat(chat: readonly ChatLine[], counts: Counts, show: (line: string) => void): void {
  const memory = freshMemory()
  const pairOf = (label: string): string | undefined => {
    const first = earlierLabel[label[0] ?? '']
    return first === undefined ? undefined : `${first}${label.slice(1)}`
  }
  for (const [at, line] of chat.entries()) {
    const { changes } = observe(memory, { id: String(at), role: 'user', text: line.text }, place)
    const wanted = pairOf(line.label)
    const linked = new Set(
      changes.flatMap(({ supersedes }) => {
        const from = supersedes === undefined ? undefined : memory.state.items.get(supersedes)
        const message = from?.item.source.message
        return message === undefined ? [] : [chat[Number(message)]!.label]
      }),
    )
    counts.pairs += at
    const isFound = wanted !== undefined && linked.has(wanted)
    if (line.label.startsWith('l')) counts.updates++
    if (line.label.startsWith('d')) counts.denials++
    if (isFound && line.label.startsWith('l')) counts.updated++
    if (isFound && line.label.startsWith('d')) counts.flagged++
    if (wanted !== undefined && !isFound) show(`  missed ${wanted}: ${line.text}`)
    for (const label of linked)
      if (label !== wanted) {
        counts.wrong++
        show(`  wrongly linked to ${label}: ${line.text}`)
      }
  }
  for (const [at, line] of chat.entries()) {
    if (!line.label.startsWith('l')) continue
    const earlier = chat.findIndex(({ label }) => label === pairOf(line.label))
    const { newest, stale } = ranks(memory, line.question, String(at), String(earlier))
    if (newest < 10) counts.newestFound++
    if (stale < newest) {
      counts.staleAbove++
      show(`  stale first (${stale}, ${newest}): ${line.question}`)
    }
  }
}

/** Where a question finds the newest statement and the one that it replaced. */
function ranks(
  memory: Memory,
  question: string,
  newest: string,
  stale: string,
): { readonly newest: number; readonly stale: number } {
  const hits = searchMemory(memory, question, { limit: 50 }).map(
    ({ kind, id, source }) => (kind === 'message' ? id : source?.message) ?? '',
  )
  const rank = (id: string): number => (hits.includes(id) ? hits.indexOf(id) : Infinity)
  return { newest: rank(newest), stale: rank(stale) }
}

/** Updates and contradictions in long chats, and whether a question finds the newest statement. `show` gets the misses of the training chats. */
export function measureLongChats(show: (line: string) => void): readonly Measure[] {
  return (['train', 'fresh'] as const).flatMap((group) => {
    const counts: Counts = {
      updates: 0,
      updated: 0,
      denials: 0,
      flagged: 0,
      wrong: 0,
      pairs: 0,
      newestFound: 0,
      staleAbove: 0,
    }
    for (const chat of readChats(group))
      readChat(chat, counts, (line) => group === 'train' && show(line))
    const { updates, updated, denials, flagged, wrong, pairs, newestFound, staleAbove } = counts
    const of = (part: number, whole: number): string =>
      `${percent(part, whole)} (${part} of ${whole})`
    return [
      {
        name: `${group} chats: updates recognised`,
        value: of(updated, updates),
        goal: '≥ 60 %',
        reached: updated / updates >= 0.6,
      },
      {
        name: `${group} chats: contradictions flagged`,
        value: of(flagged, denials),
        goal: '≥ 60 %',
        reached: flagged / denials >= 0.6,
      },
      {
        name: `${group} chats: pairs of other messages, wrongly linked`,
        value: of(wrong, pairs),
        goal: '≤ 0.5 %',
        reached: wrong / pairs <= 0.005,
      },
      {
        name: `${group} chats: newest among the first ten / stale above newest`,
        value: `${percent(newestFound, updates)} / ${percent(staleAbove, updates)}`,
        goal: '≥ 93 % / ≤ 15 %',
        reached: newestFound / updates >= 0.93 && staleAbove / updates <= 0.15,
      },
    ]
  })
}
