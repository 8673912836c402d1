import type { HeardMessage } from '../state/event.ts'
import { ownWords } from '../understand/own-words.ts'
import { findReplacements } from '../understand/replacements.ts'
import { splitSentences } from '../understand/sentences.ts'
import { TextIndex } from './text-index.ts'

/** Something that a user said was replaced, and the session in which they said it. */
interface ReplacedThing {
  readonly from: string
  readonly session: string
  readonly saidAt: number
}

interface SessionText {
  text: string
  saidAt: number
}

export interface MessageIndex {
  readonly messages: TextIndex
  readonly sessions: TextIndex
  readonly bySession: Map<string, SessionText>
  readonly heard: Map<string, HeardMessage>
  readonly replaced: ReplacedThing[]
  /** Indexes new messages. */
  update(heard: ReadonlyMap<string, HeardMessage>): void
}

export function openMessageIndex(): MessageIndex {
  const index: MessageIndex = {
    messages: new TextIndex(),
    sessions: new TextIndex(),
    bySession: new Map(),
    heard: new Map(),
    replaced: [],
    update(heard) {
      if (heard.size === index.heard.size) return
      const touched = new Set<string>()
      for (const [key, message] of heard) {
        if (index.heard.has(key)) continue
        index.heard.set(key, message)
        index.messages.add(key, message.text)
        touched.add(message.session)
        const session = index.bySession.get(message.session) ?? { text: '', saidAt: 0 }
        session.text += `\n${message.text}`
        session.saidAt = Math.max(session.saidAt, message.saidAt)
        index.bySession.set(message.session, session)
        if (message.role === 'user') index.replaced.push(...replacedIn(message))
      }
      for (const id of touched) index.sessions.add(id, index.bySession.get(id)!.text)
    },
  }
  return index
}

function replacedIn(message: HeardMessage): readonly ReplacedThing[] {
  return splitSentences(ownWords(message.text).text).flatMap((sentence) =>
    findReplacements(sentence).flatMap(({ old }) =>
      old === undefined
        ? []
        : [{ from: old.toLowerCase(), session: message.session, saidAt: message.saidAt }],
    ),
  )
}

/** How messages are ranked. `npm run bench:memory -- sessions` measures the effect of each number. */
export interface MessageRanking {
  /** The bonus of the newest session over the oldest. */
  readonly recency: number
  /** The factor on that bonus for a question about the present. */
  readonly recencyOfNow: number
  /** The least own score, as a share of the older session's, for a session to inherit the older one's score. */
  readonly leastOwnShare: number
  /** The weight of a message's own score against its session's. */
  readonly own: number
}

export const usualRanking: MessageRanking = {
  recency: 0.2,
  recencyOfNow: 3,
  leastOwnShare: 0.4,
  own: 0.4,
}

/** Questions about the present state, or about how something changed, ask for the newest session. */
const asksForNow =
  /\b(?:status|latest|newest|nowadays|these days|how (?:has|have|did)\b.*\bchanged?)\b/iu

/**
 * Scores messages by their session and by themselves. When a session mentions something that a later session replaced,
 * the later session ranks above it.
 */
export function messageScores(
  index: MessageIndex,
  query: string,
  ranking: MessageRanking = usualRanking,
): readonly { readonly message: HeardMessage; readonly score: number }[] {
  const sessions = sessionScores(index, query, ranking)
  const own = index.messages.scores(query)
  const best = new Map<string, number>()
  for (const { id: key, score } of own) {
    const { session } = index.heard.get(key)!
    best.set(session, Math.max(best.get(session) ?? 0, score))
  }
  return own.map(({ id: key, score }) => {
    const message = index.heard.get(key)!
    const whole = sessions.get(message.session) ?? 0
    const share = score / Math.max(1e-9, best.get(message.session) ?? 1)
    return { message, score: whole * (1 - ranking.own + ranking.own * share) }
  })
}

function sessionScores(
  index: MessageIndex,
  query: string,
  { recency, recencyOfNow, leastOwnShare }: MessageRanking,
): ReadonlyMap<string, number> {
  const order = [...index.bySession].toSorted((a, b) => a[1].saidAt - b[1].saidAt)
  const place = new Map(order.map(([id], at) => [id, at / Math.max(1, order.length)]))
  const weight = recency * (asksForNow.test(query) ? recencyOfNow : 1)
  const scores = new Map<string, number>()
  for (const { id, score } of index.sessions.scores(query))
    scores.set(id, score * (1 + weight * (place.get(id) ?? 0)))
  const ranked = new Map(scores)
  for (const { from, session, saidAt } of index.replaced) {
    const ownScore = scores.get(session) ?? 0
    for (const [other, score] of scores) {
      const before = index.bySession.get(other)!
      if (other === session || before.saidAt >= saidAt || ownScore < leastOwnShare * score) continue
      if (before.text.toLowerCase().includes(from))
        ranked.set(session, Math.max(ranked.get(session) ?? 0, score * 1.05))
    }
  }
  return ranked
}
