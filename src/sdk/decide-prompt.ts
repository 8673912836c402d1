import { restoreDescription } from '../agent/tool-definitions.ts'
import { estimateTokens } from '../core/record/tokens.ts'
import { modelFacts } from '../core/schedule/models/model-facts.ts'
import { contextToolOf } from '../core/words/context-tools.ts'
import { arrayOf, isJsonObject, objectOf } from '../core/words/json.ts'
import { aiSdk } from '../formats/ai-sdk/index.ts'
import type { Body, ItemChange, RequestRead } from '../formats/format.ts'
import { newViolation } from '../formats/object/new-violation.ts'
import { type DecideOptions, isAside } from '../gateway/decide.ts'
import { bypassed, type Decided, unchanged } from '../gateway/decided.ts'
import { createSavings } from '../gateway/savings.ts'
import { createStoreBreaker, faultReason } from '../gateway/store-breaker.ts'
import { hasBoundReasoning, type SessionRequest, takeTurn } from '../gateway/take-turn.ts'
import { workingDirectoryIn } from '../gateway/working-directory.ts'
import type { Identity } from '../session/identity.ts'
import { sentMessages } from '../session/placement.ts'

type Prompt = readonly unknown[]

export interface PromptCall {
  readonly prompt: Prompt
  readonly tools: unknown
  readonly model: string | null
  readonly identity: Identity
}

export interface DecidedPrompt {
  /** The same list when nothing is different. */
  readonly prompt: Prompt
  readonly decided: Decided
}

/**
 * Decides about the prompt of a call to a language model, with the same sessions and the same turns as the gateway. Never
 * rejects: when something goes wrong, the original is returned.
 */
export function createPromptDecider(
  options: DecideOptions,
): (call: PromptCall) => Promise<DecidedPrompt> {
  const { sessions, maker, models, regime, pauses, now } = options
  const breaker = createStoreBreaker(now)
  const savings = createSavings({ models, regime, isEager: maker.settings.schedule === 'eager' })
  const parts = { breaker, savings, memory: null, models, pauses }

  async function decide(call: PromptCall): Promise<DecidedPrompt> {
    const { prompt, model, identity } = call
    const list = aiSdk.read(prompt)
    const read = asBody(list, call)
    const kept = (decided: Decided): DecidedPrompt => ({ prompt, decided })
    if (list.problem !== null) {
      const { where, message } = list.problem
      return kept(bypassed(read.source, `not understood at ${where}: ${message}`))
    }
    if (read.messages.length === 0) return kept(unchanged(read))
    const storeProblem = breaker.openReason()
    if (storeProblem !== null && !hasBoundReasoning(read, modelFacts(model, models)))
      return kept(bypassed(read.source, storeProblem))
    const request = {
      read,
      sent: sentMessages(maker.asRecorded(read.messages), []),
      from: null,
      since: undefined,
    }
    const moment = {
      at: now(),
      model,
      lifetime: lifetimeIn(prompt),
      cwd: workingDirectoryIn(read) ?? options.cwd ?? null,
      restore: restoreToolIn(call.tools),
    }
    const rewriting = createRewriting(prompt, list, read)
    const decided = await sessions.use(identity, request, async (session) => {
      const placed = { session, request, moment, format: null, rewrite: rewriting.rewrite }
      if (isAside(read) && session.project(null, request, moment).changes.length === 0) {
        session.remember({ messages: read.messages, sent: request.sent, at: moment.at, model })
        return unchanged(read)
      }
      return takeTurn(parts, placed)
    })
    return decided.receipt.bypass === null
      ? { prompt: rewriting.written(), decided }
      : kept(decided)
  }

  return async (call) => {
    try {
      return await decide(call)
    } catch (fault) {
      const reason = faultReason(fault)
      if (reason.startsWith('store-')) breaker.trip(fault)
      return { prompt: call.prompt, decided: { ...bypassed('', reason), fault } }
    }
  }
}

/** Writes changes into a prompt, and keeps the result. */
function createRewriting(
  prompt: Prompt,
  list: RequestRead<Prompt>,
  read: RequestRead<Body>,
): { readonly rewrite: SessionRequest['rewrite']; written(): Prompt } {
  let written = prompt
  return {
    written: () => written,
    rewrite(changes, { branch }) {
      const { source, refused } = aiSdk.rewrite(list, changes)
      const violation = source === prompt ? null : newViolation(aiSdk, prompt, source)
      if (violation !== null)
        return { body: read.source, removedTokens: 0, violation, forwarded: null }
      written = source
      const left = new Set<ItemChange>(refused.map(({ change }) => change))
      let removedTokens = 0
      for (const change of changes) {
        if (left.has(change)) continue
        const original = read.messages[change.message]?.items[change.item]?.text ?? ''
        removedTokens +=
          branch?.tokensRemovedBy(change) ??
          estimateTokens(original) - estimateTokens(change.text ?? '')
      }
      return { body: read.source, removedTokens, violation, forwarded: null }
    },
  }
}

/** The prompt as sessions see it. Its texts stand for its source, whose length says how much memory it takes. */
function asBody(list: RequestRead<Prompt>, { model, tools }: PromptCall): RequestRead<Body> {
  const source = list.messages.flatMap(({ items }) => items.map(({ text }) => text)).join('\n')
  const prefix = { system: '', tools: tools === undefined ? '' : JSON.stringify(tools) }
  return { ...list, source, prefix, model, shared: 0 }
}

/** The name of our restore tool among those that a call offers; null when it is not there. */
function restoreToolIn(tools: unknown): string | null {
  for (const { name, description } of arrayOf(tools).filter(isJsonObject)) {
    if (typeof name !== 'string' || typeof description !== 'string') continue
    if (contextToolOf(name) === 'context_restore' && description.includes(restoreDescription))
      return name
  }
  return null
}

/** The cache lifetime that a prompt asks Anthropic for; undefined when it does not say. */
function lifetimeIn(prompt: Prompt): 'short' | 'long' | undefined {
  let found: 'short' | undefined
  for (const message of prompt.filter(isJsonObject)) {
    for (const { providerOptions } of [message, ...arrayOf(message.content).filter(isJsonObject)]) {
      const anthropic = objectOf(objectOf(providerOptions).anthropic)
      const control = anthropic.cacheControl ?? anthropic.cache_control
      if (!isJsonObject(control)) continue
      if (control.ttl === '1h') return 'long'
      found = 'short'
    }
  }
  return found
}
