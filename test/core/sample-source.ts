import { digest } from '../../src/core/render/digest/digest.ts'
import type { DigestLimits, DigestSource } from '../../src/core/render/digest/digest-types.ts'
import type { Action, ShellAction } from '../../src/core/words/action.ts'

/** For tests: what a command printed. */
export function shellSource(command: string, text: string): DigestSource {
  return sourceOf(text, shell(command))
}

export function sourceOf(text: string, action: Action | null = null): DigestSource {
  return { text, tool: 'bash', action, status: 'ok', request: null }
}

export function shell(command: string): ShellAction {
  const nothing = { workdir: null, reads: [], changes: [], query: null, continues: false } as const
  return { kind: 'shell', command, ...nothing }
}

export const sampleLimits: DigestLimits = {
  leastChars: 1000,
  targetChars: 900,
  mustChars: Number.POSITIVE_INFINITY,
  namesChars: 0,
  recall: 'context_restore a1b2c3',
}

/** The digest, which the test expects to be there. */
export function digestOf(source: DigestSource, limits: Partial<DigestLimits> = {}): string {
  const found = digest(source, { ...sampleLimits, ...limits })
  if (found === null) throw new Error('the text stayed whole')
  return found
}

/** So many lines made of their number. */
export function lines(count: number, line: (number: number) => string): string {
  return Array.from({ length: count }, (_, at) => line(at + 1)).join('\n')
}
