import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { longFiles } from './long-scenario.ts'
import { receivedItems } from './received.ts'
import type { ServeStep } from './serve-plan.ts'
import { hostCommand, hostTitle, type ServedSession, serveSession } from './served-session.ts'
import { answerText, begin, command, post, say } from './steps.ts'

const compact = post('/session/{c}/summarize', {
  providerID: 'scripted',
  modelID: 'scripted-model',
})

/** Each step by the name under which the test asks for its answer. */
const named: readonly (readonly [name: string, step: ServeStep])[] = [
  ['begin', begin('c')],
  ['work', say('c', 'Read it.')],
  ['stats before', command('c', 'stats')],
  ['compaction', compact],
  ['work after', say('c', 'Read it twice.')],
  ['stats after', command('c', 'stats')],
  ['second compaction', compact],
  ['third compaction', compact],
  ['last', say('c', 'Go on.')],
  ['stats at last', command('c', 'stats')],
]

const firstAnswer = 'The file has many lines.'

describe.skipIf(hostCommand === null)(hostTitle('compactions in OpenCode'), () => {
  let session: ServedSession
  const at = (name: string): number => named.findIndex(([each]) => each === name)
  const counted = (name: string): number => {
    const text = answerText(session.answers[at(name)]?.body)
    return Number(/conversations, (\d+) requests/.exec(text)?.[1])
  }
  const summaries = (): readonly string[] =>
    session.all.filter(({ kind }) => kind === 'aux').map(({ body }) => body)

  beforeAll(async () => {
    session = await serveSession({
      format: 'openai-chat',
      files: longFiles,
      scenario: (project) => {
        const read = { operations: [{ kind: 'read', path: `${project}/a.ts` }] } as const
        return {
          aux: 'The summary.',
          turns: [read, { text: firstAnswer }, read, read, { text: 'Read.' }, { text: 'Done.' }],
        }
      },
      steps: () => named.map(([, step]) => step),
    })
  }, 300_000)

  afterAll(() => session?.remove())

  it('answers everything without an error', () => {
    expect(session.answers.map(({ status }) => status)).toEqual(named.map(() => 200))
    expect(session.all.flatMap(({ violations }) => violations)).toEqual([])
    expect(session.requests.length).toBe(6)
  })

  it('counts every request, those right after a compaction included', () => {
    expect(counted('stats before')).toBe(2)
    expect(counted('stats after')).toBe(5)
    expect(counted('stats at last')).toBe(6)
  })

  it('summarises the whole conversation when a command of ours came last', () => {
    const [first, second] = summaries()
    expect(first).toContain(firstAnswer)
    expect(first).not.toContain('/acp')
    expect(second).toContain('Read it twice.')
    expect(second).not.toContain('/acp')
  })

  it('prunes in the requests after a compaction', () => {
    expect(receivedItems(session.requests[4]!).join('\n')).toMatch(
      /same file lines as in `read [^`]*a\.ts[^`]*` above/,
    )
  })
})
