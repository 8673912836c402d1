import * as z from 'zod'
import { PalimpsestError } from '../../core/words/errors.ts'
import { parseJson } from '../../core/words/json.ts'
import type { MemoryKind } from '../item.ts'
import type { Message } from '../observe.ts'
import { checkedClaims } from './checked-claims.ts'
import type { Claim } from './claim.ts'

/** Proposes what a message says that can be remembered. Rejects when it cannot. */
export interface Extractor {
  claims(message: Message, saidAt: number): Promise<readonly Claim[]>
}

export interface ModelExtractorOptions {
  /** An OpenAI-compatible endpoint, up to and with `/v1`. */
  readonly url: string
  readonly model: string
  readonly key?: string | undefined
  readonly timeoutMs?: number
}

/** One thing that a model says a message says. */
export interface Proposal {
  readonly kind: MemoryKind
  readonly about: 'user' | 'project'
  readonly change: Claim['operation']
  readonly attribute: string
  readonly value: string
  readonly old?: string | null | undefined
  /** The sentence, word for word. */
  readonly quote: string
}

const proposal: z.ZodType<Proposal> = z.object({
  kind: z.enum(['fact', 'preference', 'decision']),
  about: z.enum(['user', 'project']),
  change: z.enum(['state', 'replace', 'end']).catch('state'),
  attribute: z.string().min(1).max(60),
  value: z.string().min(1).max(120),
  old: z.string().min(1).max(120).nullish(),
  quote: z.string().min(1),
})

const answer = z.object({ items: z.array(z.unknown()).max(20) })
const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).min(1),
})

const instructions = `You read one message of a conversation about software and list what it says that stays true beyond this task: facts about the user or the project, lasting preferences, decisions. Answer with JSON only:
{"items":[{"kind":"fact"|"preference"|"decision","about":"user"|"project","change":"state"|"replace"|"end","attribute":"snake_case name of the property","value":"the value as the message spells it","old":"the value that it takes the place of, if the message names it","quote":"the sentence, word for word"}]}
Leave out what is quoted, pasted, asked, supposed, said by or of others, or meant for one file or one moment. When unsure, leave it out. {"items":[]} is a good answer.`

/** A model behind any OpenAI-compatible endpoint. What it proposes counts only as far as the message bears it out. */
export function createModelExtractor(options: ModelExtractorOptions): Extractor {
  const { url, model, key, timeoutMs = 30_000 } = options
  const endpoint = `${url.replace(/\/+$/, '')}/chat/completions`
  return {
    async claims(message, saidAt) {
      if (message.role !== 'user' && message.role !== 'assistant') return []
      const content = await ask(endpoint, timeoutMs, key, {
        model,
        temperature: 0,
        messages: [
          { role: 'system', content: instructions },
          {
            role: 'user',
            content: `<message role="${message.role}">\n${message.text}\n</message>`,
          },
        ],
      })
      return checkedClaims(proposalsIn(content), message, saidAt)
    },
  }
}

async function ask(
  endpoint: string,
  timeoutMs: number,
  key: string | undefined,
  body: object,
): Promise<string> {
  const failed = (reason: string, cause?: unknown): PalimpsestError =>
    new PalimpsestError('unreadable', `the extractor at ${endpoint} ${reason}`, { cause })
  let response: Response
  try {
    response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch (cause) {
    throw failed('cannot be reached', cause)
  }
  if (!response.ok) throw failed(`answered with ${response.status}`)
  const read = completion.safeParse(await response.json().catch(() => null))
  if (!read.success) throw failed('gave no completion')
  return read.data.choices[0]?.message.content ?? ''
}

/** What the model proposes; what is no proposal is passed over. Models like to wrap JSON into a fence or a sentence. */
function proposalsIn(content: string): readonly Proposal[] {
  const [start, end] = [content.indexOf('{'), content.lastIndexOf('}')]
  if (start === -1 || end < start) return []
  const read = answer.safeParse(parseJson(content.slice(start, end + 1)))
  if (!read.success) return []
  return read.data.items.flatMap((item) => {
    const { success, data } = proposal.safeParse(item)
    return success ? [data] : []
  })
}
