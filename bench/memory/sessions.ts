import { observe } from '../../src/memory/observe.ts'
import { type MessageRanking, usualRanking } from '../../src/memory/search/message-index.ts'
import { searchMemory } from '../../src/memory/search/search.ts'
import { freshMemory, type Measure, randomNumbers, readData } from './measure.ts'

interface Session {
  readonly sessionId: string
  readonly metadata: { readonly date: string }
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[]
}

interface Question {
  readonly questionType: string
  readonly question: string
  readonly haystackSessionIds: readonly string[]
}

/** DevMemBench, knowledge updates: does the newest session that knows the answer come first? */
export function measureSessions(): readonly Measure[] {
  const data = readData('devmembench/sessions.json')
  const asked = readData('devmembench/questions.json')
  if (data === undefined || asked === undefined) return []
  const sessions = JSON.parse(data) as readonly Session[]
  const dates = new Map(sessions.map(({ sessionId, metadata }) => [sessionId, metadata.date]))
  const memory = freshMemory()
  for (const { sessionId, metadata, messages } of sessions)
    for (const [index, { role, content }] of messages.entries())
      observe(
        memory,
        { id: `${sessionId}/${index}`, role, text: content, at: Date.parse(metadata.date) + index },
        { project: 'bench', session: sessionId },
      )
  const questions = (JSON.parse(asked) as readonly Question[]).filter(
    ({ questionType }) => questionType === 'knowledge-update',
  )
  const isFirst = (
    { question, haystackSessionIds }: Question,
    ranking: MessageRanking,
  ): boolean => {
    const newest = haystackSessionIds.toSorted((a, b) =>
      dates.get(a)! < dates.get(b)! ? 1 : -1,
    )[0]
    return searchMemory(memory, question, { limit: 1, ranking })[0]?.source?.session === newest
  }
  const first = questions.filter((question) => isFirst(question, usualRanking)).length
  const table = rankings().map((ranking) => questions.map((question) => isFirst(question, ranking)))
  const heldOut = crossValidated(table)
  return [
    {
      name: 'DevMemBench updates: newest session ranked first (chosen on other questions)',
      value: `${first} of ${questions.length} (${(heldOut * questions.length).toFixed(1)})`,
      goal: '≥ 18 of 25',
      reached: first >= 18,
    },
  ]
}

/** All rankings to compare. */
function rankings(): readonly MessageRanking[] {
  return [0, 0.1, 0.2, 0.4, 0.8].flatMap((recency) =>
    [1, 2, 3].flatMap((recencyOfNow) =>
      [0, 0.2, 0.4, 0.6, 1.1].flatMap((leastOwnShare) =>
        [0.2, 0.4, 0.7].map((own) => ({ recency, recencyOfNow, leastOwnShare, own })),
      ),
    ),
  )
}

const halvings = 200

/**
 * Cross-validation: chooses the best ranking on one half of the questions and scores it on the other half, over many random
 * splits. Among equally good rankings it takes the middle one.
 */
function crossValidated(table: readonly (readonly boolean[])[]): number {
  const random = randomNumbers(11)
  const count = table[0]?.length ?? 0
  let right = 0
  let asked = 0
  for (let turn = 0; turn < halvings; turn++) {
    const order = Array.from({ length: count }, (_, index) => index)
      .map((index) => ({ index, key: random() }))
      .toSorted((a, b) => a.key - b.key)
      .map(({ index }) => index)
    const half = Math.floor(count / 2)
    const [seen, unseen] = [order.slice(0, half), order.slice(half)]
    const hits = (row: readonly boolean[], among: readonly number[]): number =>
      among.filter((index) => row[index]).length
    const best = Math.max(...table.map((row) => hits(row, seen)))
    const tied = table.filter((row) => hits(row, seen) === best)
    right += hits(tied[Math.floor(tied.length / 2)]!, unseen)
    asked += unseen.length
  }
  return right / Math.max(1, asked)
}
