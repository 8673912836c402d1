import type { ContextKind } from '../../../src/dashboard/types.ts'

export { reasonName, shownName } from '../../../src/report/plain-words.ts'

/** What the kinds of context are called. */
export const kindNames: Readonly<Record<ContextKind, string>> = {
  system: 'System prompt',
  tools: 'Tool definitions',
  user: 'User',
  prose: 'Assistant',
  reasoning: 'Reasoning',
  reads: 'File reads',
  shell: 'Shell',
  edits: 'Edits',
  other: 'Other tools',
}

/** Why bytes that were sent before changed. */
export function epochName(reason: string): string {
  return epochNames[reason] ?? reason
}

const epochNames: Readonly<Record<string, string>> = {
  resumed: 'session resumed',
  rewritten: 'history rewritten by the agent',
  model: 'model changed',
  idle: 'cache had expired',
  pays: 'pays for itself',
  asked: 'the agent asked',
  pressure: 'context limit',
  'at once': 'at once',
}
