import { memoryContext } from '../../src/memory/context/context.ts'
import { observe } from '../../src/memory/observe.ts'
import { freshMemory, type Measure, percent, readData } from './measure.ts'

interface Timeline {
  readonly events: readonly (
    | {
        readonly type: 'conversation_turn'
        readonly speaker: 'user' | 'assistant'
        readonly text: string
      }
    | {
        readonly type: 'query'
        readonly prompt: string
        readonly ground_truth: {
          readonly must_mention: readonly unknown[]
          readonly must_not_mention: readonly unknown[]
        }
      }
    | { readonly type: 'state_write' | 'supersession' }
  )[]
}

/**
 * StateBench, dev part: scores the context that a model would get for each question, not a model's answer. Uses only the
 * turns of the conversation.
 */
export function measureConversations(): readonly Measure[] {
  const data = readData('statebench/dev.jsonl')
  if (data === undefined) return []
  const place = { project: 'bench', session: 'bench' }
  let queries = 0
  let leaks = 0
  let required = 0
  let present = 0
  for (const line of data.trim().split('\n')) {
    const memory = freshMemory()
    for (const [index, event] of (JSON.parse(line) as Timeline).events.entries()) {
      if (event.type === 'conversation_turn')
        observe(memory, { id: String(index), role: event.speaker, text: event.text }, place)
      if (event.type !== 'query') continue
      const context = memoryContext(memory, place, { query: event.prompt }).toLowerCase()
      const holds = (phrase: unknown): boolean => context.includes(String(phrase).toLowerCase())
      const { must_mention: must, must_not_mention: mustNot } = event.ground_truth
      queries++
      if (mustNot.some(holds)) leaks++
      required += must.length
      present += must.filter(holds).length
    }
  }
  return [
    {
      name: 'StateBench dev: superseded in context / required present',
      value: `${percent(leaks, queries)} / ${percent(present, required)}`,
      goal: '≤ 12 % / ≥ 55 %',
      reached: leaks / queries <= 0.12 && present / required >= 0.55,
    },
  ]
}
