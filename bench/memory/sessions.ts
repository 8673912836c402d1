import { observe } from '../../src/memory/observe.ts'
import { searchMemory } from '../../src/memory/search/search.ts'
import { freshMemory, type Measure, readData } from './measure.ts'

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
  const first = questions.filter(({ question, haystackSessionIds }) => {
    const newest = haystackSessionIds.toSorted((a, b) =>
      dates.get(a)! < dates.get(b)! ? 1 : -1,
    )[0]
    return searchMemory(memory, question, { limit: 1 })[0]?.source?.session === newest
  }).length
  return [
    {
      name: 'DevMemBench updates: newest session ranked first',
      value: `${first} of ${questions.length}`,
      goal: '≥ 18 of 25',
      reached: first >= 18,
    },
  ]
}
