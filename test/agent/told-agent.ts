import type { AgentSession } from '../../src/agent/session.ts'
import type { Protection } from '../../src/core/guard/guard.ts'
import type { MessageDraft } from '../../src/core/words/item.ts'
import type { Settings } from '../../src/core/words/settings.ts'
import { engineFor } from '../engine/told-session.ts'

export interface ToldAgent extends AgentSession {
  /** What the next request of the same conversation shows in full, behind these messages. */
  next(more?: readonly MessageDraft[]): readonly MessageDraft[]
  handleOf(call: string): string
}

const nothingProtected: Protection = { tool: () => false, file: () => false }

/** A conversation after its last request, as the agent's tools see it. */
export function toldAgent(
  messages: readonly MessageDraft[],
  settings: Settings,
  options: Partial<AgentSession> = {},
): ToldAgent {
  const protection = options.protection ?? nothingProtected
  const engine = engineFor(settings, protection)
  let request = engine.request(messages.slice(0, 1))
  for (let told = 2; told <= messages.length; told++)
    request = engine.request(messages.slice(0, told))
  return {
    engine,
    settings,
    protection,
    history: engine.record.history(request.anchor),
    turn: request.turn,
    contextLimit: null,
    prefixTokens: 0,
    factor: 1,
    ...options,
    next(more = []) {
      const drafts = [...messages, ...more]
      const { changes } = engine.request(drafts)
      return drafts.map((draft, message) => ({
        ...draft,
        items: draft.items.flatMap((item, at) => {
          const change = changes.find((each) => each.message === message && each.item === at)
          if (change === undefined) return [item]
          return change.text === null ? [] : [{ ...item, text: change.text }]
        }),
      }))
    },
    handleOf: (call) =>
      engine.record.items.find((item) => item.kind === 'result' && item.call === call)?.handle ??
      '',
  }
}

export function said(text: string): MessageDraft {
  return { role: 'assistant', items: [{ kind: 'text', text }] }
}

export function thought(text: string, binding: 'plain' | 'signed' = 'plain'): MessageDraft {
  const reasoning = { kind: 'reasoning', binding, text } as const
  return { role: 'assistant', items: [reasoning, { kind: 'text', text: 'Go on.' }] }
}

export function asked(text: string): MessageDraft {
  return { role: 'user', items: [{ kind: 'text', text }] }
}
