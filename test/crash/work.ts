import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Memory } from '../../src/memory/index.ts'
import { type HostedConversation, type HostedMessage, saidIn } from '../agent/hosted.ts'
import { lines } from '../engine/told-session.ts'

/** A session of a host is long enough after this many requests. */
export const mostSteps = 24

/** What happens in a host's session after its request of this number. */
export function workOn(conversation: HostedConversation, step: number): void {
  const filePath = `/project/f${step % 3}.ts`
  if (step % 5 === 4)
    conversation.called('bash', { command: `make ${step}` }, lines(1, 400, `step ${step}`))
  else if (step % 7 === 6)
    conversation.called('write', { filePath, content: lines(1, 30, `v${step}`) }, 'Wrote the file.')
  else conversation.called('read', { filePath }, lines(1, 40, `f${step % 3}`))
}

export function hashOf(request: readonly HostedMessage[]): string {
  return createHash('sha256')
    .update(JSON.stringify(saidIn(request)))
    .digest('hex')
}

/** The hashes of the requests that a host wrote down, with their numbers. */
export function journalIn(file: string): readonly (readonly [step: number, hash: string])[] {
  const whole = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return whole.map((line) => JSON.parse(line) as [number, string])
}

/** The facts of a writer, in the order in which it added them. */
export function factsOf(memory: Memory, name: string): readonly string[] {
  const texts = [...memory.state.items.values()].map(({ item }) => item.text)
  return texts.filter((text) => text.startsWith(`${name} has built part `))
}

export const factOf = (name: string, count: number): string => `${name} has built part ${count}`
