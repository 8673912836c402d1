import type { ServeCall, ServeStep } from './serve-plan.ts'

export function post(path: string, body: unknown, saveAs?: string): ServeCall {
  return { kind: 'call', method: 'POST', path, body, ...(saveAs === undefined ? {} : { saveAs }) }
}

/** A new conversation, known by this name from then on. It has a title, so that no model is asked for one. */
export const begin = (name: string): ServeCall => post('/session', { title: name }, name)

/** The model that a message is for, where it is not the usual one. */
export interface NamedModel {
  readonly providerID: string
  readonly modelID: string
}

export const say = (session: string, text: string, model?: NamedModel): ServeCall =>
  post(`/session/{${session}}/message`, {
    parts: [{ type: 'text', text }],
    ...(model === undefined ? {} : { model }),
  })

export const command = (session: string, words: string, name = 'acp'): ServeCall =>
  post(`/session/{${session}}/command`, { command: name, arguments: words })

/** Everything that the host has stored of a conversation. */
export const stored = (session: string): ServeCall => ({
  kind: 'call',
  method: 'GET',
  path: `/session/{${session}}/message`,
})

export const restart: readonly ServeStep[] = [{ kind: 'stop' }, { kind: 'start' }]

/** The text that the host answered a message or a command with. */
export function answerText(body: unknown): string {
  const parts = (body as { parts?: readonly { type: string; text?: string }[] }).parts ?? []
  return parts.flatMap(({ type, text }) => (type === 'text' ? [text ?? ''] : [])).join('\n')
}
