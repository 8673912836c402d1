import { hash } from 'node:crypto'
import { arrayOf, isJsonObject, objectOf } from '../../core/words/json.ts'
import type { IncomingRequest } from '../decide.ts'
import { callerOf, conversationOf } from './caller.ts'
import { readConversation } from './conversation.ts'
import type { Plug } from './plug.ts'
import { type PlugRequest, readCall, refusal } from './read-call.ts'

const nothing = { action: 'NONE' } as const

/**
 * LiteLLM's generic guardrail API: the texts of a request with the messages that they are from. Only texts can be changed.
 * Never blocks: on any error, the request stays unchanged.
 */
export async function answerGuardrail(plug: Plug, asked: PlugRequest): Promise<Response> {
  const read = await readCall(asked)
  if (read.kind === 'refused') return read.answer
  const { input_type: type, structured_messages: list, texts } = read.call
  if (type !== 'request' && type !== 'response')
    return refusal(400, '"input_type" must be "request" or "response"')
  if (type === 'response' || !Array.isArray(list) || !Array.isArray(texts))
    return Response.json(nothing)
  try {
    const shown = await shownTexts(plug, asked, { ...read.call, list, texts })
    const isChanged = shown.some((text, at) => text !== texts[at])
    return Response.json(isChanged ? { action: 'GUARDRAIL_INTERVENED', texts: shown } : nothing)
  } catch (fault) {
    plug.onFault('guardrail', fault)
    return Response.json(nothing)
  }
}

interface GuardrailCall {
  readonly list: readonly unknown[]
  readonly texts: readonly unknown[]
  readonly [other: string]: unknown
}

async function shownTexts(
  plug: Plug,
  { request, viewer, arrived }: PlugRequest,
  call: GuardrailCall,
): Promise<readonly unknown[]> {
  const { list, texts, tools } = call
  const model = typeof call.model === 'string' ? call.model : null
  const offered = Array.isArray(tools) ? { tools } : {}
  const body = Buffer.from(JSON.stringify({ model, ...offered, messages: list }))
  const conversation = readConversation(body, list)
  if (conversation === null) return texts
  const places = placesOf(texts, textsIn(list))
  const changeable = new Set([...places.values()].map(({ text }) => text))
  const canChange: IncomingRequest['canChange'] = ({ messages }, { message, item, text }) =>
    text !== null && changeable.has(messages[message]?.items[item]?.text ?? '')
  const user = String(objectOf(call.request_data).user_api_key_hash ?? '')
  const params = objectOf(call.additional_provider_specific_params)
  const isAudit = params.mode === 'audit'
  const name = hash('sha256', conversation.opening).slice(0, 16)
  const identity = conversationOf(callerOf(request, viewer, `texts ${user}`), { name, isAudit })
  const about = { request, arrived, conversation, identity, model, isAudit }
  const decided = await plug.decide({ ...about, canChange, canRetrieve: false })
  if (isAudit || decided.body === body) return texts
  const after = textsIn(JSON.parse(conversation.withMessagesOf(decided.body)))
  return texts.map((text, at) => {
    const place = places.get(at)
    return place === undefined ? text : (after[place.index]?.text ?? text)
  })
}

interface TextPlace {
  readonly index: number
  readonly text: string
}

/** Every text of messages, in their order. */
function textsIn(list: readonly unknown[]): readonly TextPlace[] {
  const texts = list.flatMap((message) => {
    const { content } = objectOf(message)
    if (typeof content === 'string') return [content]
    return arrayOf(content).flatMap((part) =>
      isJsonObject(part) && typeof part.text === 'string' ? [part.text] : [],
    )
  })
  return texts.map((text, index) => ({ text, index }))
}

/** Where in the messages each text is. The texts come in the order of the messages, but not from all of them. */
function placesOf(
  texts: readonly unknown[],
  all: readonly TextPlace[],
): ReadonlyMap<number, TextPlace> {
  const places = new Map<number, TextPlace>()
  let from = 0
  for (const [at, text] of texts.entries()) {
    const place = all.find((each) => each.index >= from && each.text === text)
    if (place === undefined) continue
    places.set(at, place)
    from = place.index + 1
  }
  return places
}
