import { hash } from 'node:crypto'
import { estimateTokens } from '../../core/record/tokens.ts'
import { type JsonObject, objectOf } from '../../core/words/json.ts'
import { receiptText } from '../receipt.ts'
import { callerOf, conversationOf } from './caller.ts'
import { type Conversation, readConversation } from './conversation.ts'
import { addedHashes } from './marks.ts'
import type { Plug, PlugCall } from './plug.ts'
import { rawMember } from './raw-member.ts'
import { type PlugRequest, readCall, refusal } from './read-call.ts'

/**
 * `POST /v1/compress` with `{messages, model}`. On any error after the messages were read, the answer is 200 with the original
 * messages, because callers turn an error into a failed request.
 */
export async function answerCompress(plug: Plug, asked: PlugRequest): Promise<Response> {
  const read = await readCall(asked)
  if (read.kind === 'refused') return read.answer
  const { body, call } = read
  if (!Array.isArray(call.messages))
    return refusal(400, '"messages" must be an array: the messages of a chat or Anthropic request')
  try {
    return await compress(plug, asked, { body, call, list: call.messages })
  } catch (fault) {
    plug.onFault('compress', fault)
    return unchanged(asTheyCame(body), 'internal error')
  }
}

interface CompressCall {
  readonly body: Buffer<ArrayBuffer>
  readonly call: JsonObject
  readonly list: readonly unknown[]
}

async function compress(
  plug: Plug,
  { request, viewer, arrived }: PlugRequest,
  { body, call, list }: CompressCall,
): Promise<Response> {
  const conversation = readConversation(body, list)
  if (conversation === null)
    return unchanged(asTheyCame(body), 'not understood: not UTF-8, or nested too deep')
  const { messages, opening } = conversation
  if (isSwitchedOff(request)) return unchanged(messages, null)
  const isAudit = call.mode === 'audit' || objectOf(call.config).mode === 'audit'
  const name = hash('sha256', opening).slice(0, 16)
  const decided = await plug.decide({
    request,
    arrived,
    conversation,
    identity: conversationOf(callerOf(request, viewer), { name, isAudit }),
    model: typeof call.model === 'string' ? call.model : null,
    isAudit,
    canRetrieve: canRetrieve(request, call, conversation),
    ...(conversation.isWhole ? {} : { canChange: isOfResult }),
  })
  const isChanged = decided.body !== conversation.body
  const shown = isChanged && !isAudit ? conversation.withMessagesOf(decided.body) : messages
  const receipt = receiptText(decided.receipt)
  return answer(shown, addedHashes(messages, shown), receipt, decided.receipt.tokens)
}

function asTheyCame(body: Buffer): string {
  return rawMember(body.toString('utf8'), 'messages') ?? '[]'
}

const isOfResult: PlugCall['canChange'] = ({ messages }, { message, item }) =>
  messages[message]?.items[item]?.kind === 'result'

/**
 * LiteLLM adds the tool to every request with hashes, which it looks for in texts, not inside of Anthropic's results. Other
 * callers say so, or send the tools of the request.
 */
function canRetrieve(
  { headers }: Request,
  { config, tools }: JsonObject,
  { format }: Conversation,
): boolean {
  const isLiteLlm = headers.get('user-agent')?.startsWith('litellm/') === true
  if (isLiteLlm && format === 'openai-chat') return true
  return (
    objectOf(config).mode === 'ccr' || JSON.stringify(tools ?? '').includes('headroom_retrieve')
  )
}

function isSwitchedOff({ headers }: Request): boolean {
  const asked = (name: string): string => headers.get(name)?.toLowerCase() ?? ''
  return asked('x-headroom-bypass') === 'true' || asked('x-palimpsest') === 'off'
}

function unchanged(messages: string, bypass: string | null): Response {
  return answer(messages, [], bypass === null ? 'off' : `bypass; reason=${bypass}`, null)
}

interface Tokens {
  readonly before: number
  readonly after: number
}

/** `tokens` are those of the texts. When they were not read, those of the JSON are given. */
function answer(
  messages: string,
  hashes: readonly string[],
  receipt: string,
  tokens: Tokens | null,
): Response {
  const whole = tokens === null ? estimateTokens(messages) : 0
  const { before, after } = tokens ?? { before: whole, after: whole }
  const figures = JSON.stringify({
    tokens_before: before,
    tokens_after: after,
    tokens_saved: before - after,
    compression_ratio: before === 0 ? 1 : Number((after / before).toFixed(4)),
    transforms_applied: after < before ? ['palimpsest'] : [],
    ccr_hashes: hashes,
  })
  return new Response(`{"messages":${messages},${figures.slice(1)}`, {
    headers: { 'content-type': 'application/json', 'x-palimpsest': receipt },
  })
}
