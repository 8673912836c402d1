import { lines } from '../engine/told-session.ts'
import { type HostedSession, hostedSession } from './hosted-session.ts'

/** A call of a tool of the host; `output` is a long text of its own when left out. */
export interface Act {
  readonly tool: string
  readonly input: object
  readonly output?: string
  readonly status?: 'completed' | 'error' | 'running' | 'pending'
  /** True for a call in the same answer of the model as the one before. */
  readonly parallel?: boolean
}

interface PlainAct {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

type More = Omit<Partial<Act>, 'tool' | 'input'>

export const app = '/src/app.ts'
export const read = (filePath: string = app, more: More = {}): Act => ({
  tool: 'read',
  input: { filePath },
  ...more,
})
export const write = (filePath: string = app, more: More = {}): Act => ({
  tool: 'write',
  input: { filePath, content: lines(1, 9, 'new') },
  ...more,
})
export const edit = (filePath: string = app, more: More = {}): Act => ({
  tool: 'edit',
  input: { filePath, oldString: 'one', newString: 'two' },
  ...more,
})
export const bash = (command: string, more: More = {}): Act => ({
  tool: 'bash',
  input: { command },
  ...more,
})
export const todowrite = (content = 'The work', status = 'pending'): PlainAct => ({
  tool: 'todowrite',
  input: { todos: [{ id: '1', content, status }] },
})
export const todoread: Act = { tool: 'todoread', input: {} }

/** A conversation in which these calls were made, each after a request of its own, and what the next request shows. */
export interface Acted {
  readonly session: HostedSession
  /** F for each result that is shown in full, and H for each that is hidden. */
  readonly shape: string
  /** What is shown of each call: its input, and its result. */
  readonly said: readonly string[]
  readonly log: string
}

/** `arrive` says whether all calls come with one request, as in a conversation that the plugin sees for the first time. */
export async function acted(
  given: Readonly<Record<string, unknown>>,
  acts: readonly Act[],
  arrive: 'one by one' | 'at once' = 'one by one',
): Promise<Acted> {
  const session = await hostedSession(given)
  await perform(session, acts, arrive)
  const shown = (await session.shown()).filter((text) => text.includes(' → '))
  const said = shown.slice(-acts.length)
  const shape = acts.map(({ output }, at) =>
    isWhole(said[at], output ?? outputOf(at)) ? 'F' : 'H',
  )
  return { session, shape: shape.join(''), said, log: session.logs.join('\n') }
}

export async function perform(
  session: HostedSession,
  acts: readonly Act[],
  arrive: 'one by one' | 'at once' = 'one by one',
): Promise<void> {
  const { conversation } = session
  for (const [at, act] of acts.entries()) {
    const { tool, input, output = outputOf(at), status = 'completed', parallel = false } = act
    if (arrive === 'one by one' && !parallel) await conversation.request()
    conversation.called(tool, input, output, status === 'error' ? 'error' : 'completed')
    const { parts } = conversation.stored.at(-1)!
    const part = parts.at(-1)!
    if (status === 'running' || status === 'pending')
      part.state = {
        status,
        input,
        ...(status === 'pending' ? { raw: '' } : {}),
        time: { start: 0 },
      }
    if (parallel) {
      conversation.stored.pop()
      part.callID = `${String(part.callID)}_${at}`
      part.id = `${String(part.id)}_${at}`
      conversation.stored.at(-1)!.parts.push(part)
    }
  }
}

export const outputOf = (at: number): string => lines(1, 20, `out${at}`)

function isWhole(said: string | undefined, output: string): boolean {
  return said?.includes(output) === true
}

/** What is hidden in such a conversation, by one word for each call. */
export async function shapeOf(
  given: Readonly<Record<string, unknown>>,
  acts: readonly Act[],
): Promise<string> {
  return (await acted(given, acts)).shape
}
