import { type ModelMessage, pruneMessages } from 'ai'
import { asAgentShows, type Policy } from '../score/policy.ts'
import type { Rendition } from '../score/session.ts'

type PruneOptions = Omit<Parameters<typeof pruneMessages>[0], 'messages'>
type Part = Exclude<ModelMessage['content'], string>[number]

/** The AI SDK's own function, called before each request with the options of its documentation. */
export function aiSdkPruneWith(options: PruneOptions): Policy {
  return {
    name: 'ai-sdk-prune',
    source: 'AI SDK 6, pruneMessages of the package ai itself',
    parameters: Object.entries(options)
      .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
      .join(', '),
    begin:
      () =>
      ({ view }) => {
        const { messages, partOf } = modelMessages(view)
        const kept = new Set<Part>()
        for (const { content } of pruneMessages({ messages: [...messages], ...options }))
          if (typeof content !== 'string') for (const part of content) kept.add(part)
        const isKept = ({ item }: Rendition): boolean => {
          const part = partOf.get(item.i)
          return part === undefined || kept.has(part)
        }
        return view.filter(isKept).map(asAgentShows)
      },
  }
}

/** The view as the AI SDK has it: the calls of a step in one message, their results in the next. */
export function modelMessages(view: readonly Rendition[]): {
  readonly messages: readonly ModelMessage[]
  readonly partOf: ReadonlyMap<number, Part>
} {
  const groups: { role: 'user' | 'assistant' | 'tool'; message: number; parts: Part[] }[] = []
  const partOf = new Map<number, Part>()
  for (const rendition of view) {
    const part = partFor(rendition)
    if (part === null) continue
    const { i, message } = rendition.item
    const role = part.type === 'tool-result' ? 'tool' : roleOf(rendition)
    // A step that interleaves calls and results is still one message of calls and one of results.
    const [before, last] = [groups.at(-2), groups.at(-1)]
    const goesOn = last?.role === role && (role === 'tool' || last.message === message)
    const interleaved = before?.role === role && before.message === message
    const group = goesOn ? last : interleaved ? before : undefined
    partOf.set(i, part)
    if (group === undefined) groups.push({ role, message, parts: [part] })
    else group.parts.push(part)
  }
  const messages = groups.map(({ role, parts }) => ({ role, content: parts }) as ModelMessage)
  return { messages, partOf }
}

function roleOf({ item }: Rendition): 'user' | 'assistant' {
  return item.role === 'assistant' ? 'assistant' : 'user'
}

/** null for what the AI SDK has no part for. */
function partFor({ item, text }: Rendition): Part | null {
  const [toolCallId, toolName] = [item.call ?? `${item.i}`, item.tool ?? 'unknown']
  switch (item.kind) {
    case 'text':
      return { type: 'text', text }
    case 'reasoning':
      return { type: 'reasoning', text }
    case 'call':
      return { type: 'tool-call', toolCallId, toolName, input: text }
    case 'result':
      return { type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: text } }
    default:
      return null
  }
}

export const aiSdkPrune: Policy = aiSdkPruneWith({
  reasoning: 'before-last-message',
  toolCalls: 'before-last-2-messages',
  emptyMessages: 'remove',
})
