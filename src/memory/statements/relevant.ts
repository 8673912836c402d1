import type { Statement } from './statement.ts'
import { sharedTopic, topicOf } from './topic.ts'

export interface Relevant {
  readonly statement: Statement
  /** Relevance plus recency, between 0 and 2. */
  readonly score: number
}

/**
 * The statements to answer a question from, best first. Side topics are left out unless the question is about them.
 */
export function relevantStatements(
  statements: readonly Statement[],
  question: string,
): readonly Relevant[] {
  const asked = topicOf(question)
  const onMain = statements.filter((statement) => statement.aside === undefined)
  const mainShare = share(onMain, asked)
  const asides = new Set(statements.flatMap(({ aside }) => (aside === undefined ? [] : [aside])))
  const wanted = new Set(
    [...asides].filter((aside) => {
      const inside = statements.filter((statement) => statement.aside === aside)
      const shared = share(inside, asked)
      return shared > mainShare && shared > 1
    }),
  )
  const last = statements.length
  return statements
    .map((statement, index) => ({ statement, index }))
    .filter(({ statement }) => statement.aside === undefined || wanted.has(statement.aside))
    .map(({ statement, index }) => ({
      statement,
      score:
        sharedTopic(statement.topic, asked) / Math.max(1, asked.size) +
        (index + 1) / Math.max(1, last),
    }))
    .toSorted((a, b) => b.score - a.score)
}

function share(statements: readonly Statement[], asked: ReadonlySet<string>): number {
  const covered = new Set<string>()
  for (const { topic } of statements)
    for (const word of asked) if (topic.has(word)) covered.add(word)
  return covered.size
}
