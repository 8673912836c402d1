import { isJsonObject, type JsonObject, objectOf } from '../../src/core/words/json.ts'
import type { Violation } from '../../src/formats/format.ts'
import type { Answer, AnswerReasoning, AnswerUsage, StreamEvent } from './answer.ts'
import { writeAnthropic } from './anthropic.ts'
import { type ModelRequest, modelRequest, type Route } from './api.ts'
import { type CacheFigures, createPrefixCache, tokensOf } from './cache.ts'
import { type ClearedPrompt, checkManagement, clearResults } from './context-management.ts'
import { errorAnswer } from './errors.ts'
import { omitsThinkingText } from './families.ts'
import { writeGemini } from './gemini.ts'
import { createIdentifiers } from './identifiers.ts'
import { writeOpenAiChat } from './openai-chat.ts'
import { writeOpenAiResponses } from './openai-responses.ts'
import { planCalls } from './operations.ts'
import { type PromptBlock, promptBlocks } from './prompt.ts'
import { createReasoningLedger } from './reasoning.ts'
import type { ModelTurn, Scenario } from './scenario.ts'
import { createScript } from './script.ts'
import { createTaskBoard } from './task-list.ts'
import { offeredTools } from './tools.ts'
import type { Validate } from './validation.ts'

/** What became of a request. `events` is empty when the answer is one body. */
export interface Outcome {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonObject
  readonly events: readonly StreamEvent[]
  readonly kind: 'turn' | 'special' | 'aux' | 'exhausted' | 'count' | 'violation' | 'malformed'
  /** Index of the scenario's turn, from 0. */
  readonly turn: number | null
  readonly violations: readonly Violation[]
  readonly usage: AnswerUsage | null
}

/** The scripted model without its server: each request in, what its provider would answer out. */
export interface ScriptedModel {
  /** `betas` are the values of `anthropic-beta`. */
  respond(route: Route, raw: string, nowMs: number, betas?: string): Outcome
  remaining(): number
}

export interface ScriptedModelOptions {
  readonly scenario: Scenario
  readonly seed: number
  readonly validate: Validate
}

export function createScriptedModel(options: ScriptedModelOptions): ScriptedModel {
  const { scenario, seed, validate } = options
  const identifiers = createIdentifiers(seed)
  const ledger = createReasoningLedger(seed)
  const cache = createPrefixCache()
  const script = createScript(scenario)
  const board = createTaskBoard()

  function refuse(
    route: Route,
    status: number,
    violation: Violation,
    kind: 'violation' | 'malformed',
  ): Outcome {
    const { rule, where, message } = violation
    const requestId = identifiers.next('req_01')
    const { body } = errorAnswer(route.api, status, message, { requestId, rule, where })
    const headers = { 'request-id': requestId }
    const violations = [violation]
    return { ...plain, status, headers, body, kind, violations }
  }

  function reason(
    request: ModelRequest,
    blocks: readonly PromptBlock[],
    say: ModelTurn,
  ): AnswerReasoning | null {
    if (request.api === 'openai-chat') {
      return say.reasoning === undefined
        ? null
        : { text: say.reasoning, signature: '', redacted: false }
    }
    // Every call of a Gemini model is signed, whether or not it shows its thoughts.
    const wanted = request.api === 'gemini' || (say.reasoning !== undefined && reasons(request))
    if (!wanted && !mustThink(request, blocks)) return null
    const redacted = say.redacted === true && request.api === 'anthropic'
    const fallback = request.api === 'gemini' ? '' : 'I think about it first.'
    const text = redacted || omitsText(request) ? '' : (say.reasoning ?? fallback)
    const { signature } = ledger.issue(request, blocks, text)
    return { text, signature, redacted }
  }

  function speak(
    request: ModelRequest,
    blocks: readonly PromptBlock[],
    say: ModelTurn,
    nowMs: number,
    prompt: ClearedPrompt,
  ): Pick<Outcome, 'body' | 'events' | 'usage'> {
    const tools = offeredTools(request)
    const reasoning = reason(request, blocks, say)
    const calls = (say.operations ?? [])
      .flatMap((operation) => planCalls(operation, tools, board, blocks))
      .map((call) => ({ ...call, id: identifiers.next(callPrefixes[request.api]) }))
    const said = [say.text ?? '', JSON.stringify(calls)].join('')
    const figures = cache.account(request, prompt.blocks, nowMs)
    const usage = usageOf(figures, tokensOf(said), tokensOf(say.reasoning ?? ''), say)
    const answer: Answer = {
      id: identifiers.next(answerPrefixes[request.api]),
      model: request.model,
      text: say.text ?? '',
      reasoning,
      calls,
      usage,
      createdAt: Math.floor(nowMs / 1000),
      management: prompt.report,
    }
    if (reasoning !== null && reasoning.signature !== '') {
      ledger.tie(
        reasoning.signature,
        calls.map((call) => call.id),
      )
    }
    return { ...write(request, answer), usage }
  }

  function write(request: ModelRequest, answer: Answer): Pick<Outcome, 'body' | 'events'> {
    switch (request.api) {
      case 'anthropic':
        return writeAnthropic(answer)
      case 'openai-chat':
        return writeOpenAiChat(answer, request)
      case 'openai-responses': {
        const written = writeOpenAiResponses(answer, request, identifiers)
        if (written.items !== null) ledger.tieItems(written.items)
        return { body: written.body, events: written.events }
      }
      case 'gemini':
        return writeGemini(answer, request)
    }
  }

  return {
    remaining: script.remaining,
    respond(route, raw, nowMs, betas = '') {
      const body = parseBody(raw)
      if (body === null) {
        const message = 'The request body is not valid JSON.'
        return refuse(route, 400, { rule: 'malformed', where: '', message }, 'malformed')
      }
      const request = modelRequest(route, body)
      const blocks = promptBlocks(request)
      const unmanaged = checkManagement(request, betas)[0]
      if (unmanaged !== undefined) return refuse(route, 400, unmanaged, 'violation')
      const prompt = clearResults(request, blocks)
      if (route.purpose === 'count') {
        const field = route.api === 'gemini' ? 'totalTokens' : 'input_tokens'
        const original = { context_management: { original_input_tokens: sizeOf(blocks) } }
        const managed = prompt.report === null ? {} : original
        const named = route.api === 'openai-responses' ? { object: 'response.input_tokens' } : {}
        return {
          ...plain,
          body: { ...named, [field]: sizeOf(prompt.blocks), ...managed },
          kind: 'count',
        }
      }
      const violation = [
        ...validate(request.api, raw, request.model),
        ...ledger.check(request, blocks),
      ].find(({ rule }) => !scenario.lenient?.includes(rule))
      if (violation !== undefined) return refuse(route, 400, violation, 'violation')
      const cue = script.cue(request, raw)
      const turn = cue.kind === 'turn' ? cue.turn : null
      const requestId = identifiers.next('req_01')
      const headers = { 'request-id': requestId }
      if (cue.say.error !== undefined) {
        const { status, message, headers: more } = cue.say.error
        const answer = errorAnswer(route.api, status, message, { requestId })
        return { ...plain, ...answer, headers: { ...headers, ...more }, kind: cue.kind, turn }
      }
      const spoken = speak(request, blocks, cue.say, nowMs, prompt)
      const events = request.stream ? spoken.events : []
      return { ...plain, ...spoken, headers, events, kind: cue.kind, turn }
    },
  }
}

const plain = {
  status: 200,
  headers: {},
  body: {},
  events: [],
  turn: null,
  violations: [],
  usage: null,
} as const

function sizeOf(blocks: readonly PromptBlock[]): number {
  return blocks.reduce((sum, block) => sum + tokensOf(block.text), 0)
}

const callPrefixes = {
  anthropic: 'toolu_01',
  'openai-chat': 'call_',
  'openai-responses': 'call_',
  gemini: 'call_',
} as const

const answerPrefixes = {
  anthropic: 'msg_01',
  'openai-chat': 'chatcmpl-',
  'openai-responses': 'resp_',
  gemini: '',
} as const

function parseBody(raw: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(raw)
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

function reasons({ api, body }: ModelRequest): boolean {
  if (api === 'openai-responses') return isJsonObject(body.reasoning)
  const type = objectOf(body.thinking).type
  return type === 'enabled' || type === 'adaptive'
}

/** With a budget to think, the first answer to a user's message begins with thinking, whatever the scenario says. */
function mustThink({ api, body }: ModelRequest, blocks: readonly PromptBlock[]): boolean {
  const enabled = api === 'anthropic' && objectOf(body.thinking).type === 'enabled'
  return enabled && blocks.at(-1)?.block.type !== 'tool_result'
}

function omitsText({ api, body, model }: ModelRequest): boolean {
  if (api !== 'anthropic') return false
  const display = objectOf(body.thinking).display
  return display === 'omitted' || (display === undefined && omitsThinkingText(model))
}

function usageOf(
  figures: CacheFigures,
  said: number,
  reasoned: number,
  { usage }: ModelTurn,
): AnswerUsage {
  const cacheRead = usage?.cacheRead ?? figures.read
  const cacheWrite = usage?.cacheWrite ?? figures.written
  return {
    input: Math.max(usage?.input ?? figures.input, cacheRead + cacheWrite),
    cacheRead,
    cacheWrite,
    cacheWriteForAnHour: Math.min(figures.writtenForAnHour, cacheWrite),
    output: usage?.output ?? Math.max(1, said + reasoned),
    reasoning: Math.min(reasoned, usage?.output ?? reasoned),
  }
}
