import { expect, it } from 'vitest'
import { toldAgent } from '../../test/agent/told-agent.ts'
import { lines, messagesOf, only, type ToldTurn } from '../../test/engine/told-session.ts'
import { explainLines } from './explain.ts'

const fetched = (id: string): ToldTurn => [
  { id, tool: 'webfetch', input: { url: 'https://docs.test/a' }, output: lines(1, 9, id) },
]

it('an item that was to go at the next epoch waits for none once somebody wanted it kept', () => {
  const settings = only({ pruneSourceUrls: true, schedule: 'on-demand' })
  const session = toldAgent(messagesOf([fetched('a'), fetched('b')]), settings)
  const handle = session.handleOf('a')
  const last = (): string | undefined => explainLines(session, handle).at(-1)
  expect(last()).toBe('shown in full; pruneSourceUrls (url) waits for an epoch since turn 3')
  expect(session.engine.undo(handle)).toBe(true)
  expect(last()).toBe('shown in full')
})
