import type { Reason } from '../core/words/decision.ts'

/** How an item is shown, in a word for users. */
export function shownName(shown: string): string {
  return shownNames[shown] ?? shown
}

const shownNames: Readonly<Record<string, string>> = {
  full: 'in full',
  absent: 'not sent by the agent',
  'left out': 'left out',
  pointer: 'pointer',
  truncated: 'shortened',
  superseded: 'replaced',
  stripped: 'input shortened',
  distilled: 'summarised',
  discarded: 'discarded',
  masked: 'masked',
  view: 'current view',
}

/** Why, as a clause after "because". `isElsewhere`: what replaces it came before it. */
export function reasonName(reason: string | null, isElsewhere: boolean): string {
  if (isElsewhere) return 'an earlier item has the same text'
  return reason === null
    ? 'reason unknown'
    : ((reasonNames as Readonly<Record<string, string>>)[reason] ?? reason)
}

const reasonNames: Readonly<Record<Reason, string>> = {
  hash: 'the same call came again',
  file: 'the file was read or changed later',
  todo: 'there is a newer task list',
  url: 'the page was fetched again',
  search: 'the same search ran again',
  query: 'the same command ran again',
  snapshot: 'there is a newer snapshot',
  retry: 'a retry succeeded',
  context: 'the prune call has done its work',
  input: 'its call was replaced',
  error: 'the error is old',
  output: 'the output is large',
  reasoning: 'the reasoning is no longer needed',
  attachment: 'the attachment was seen',
  marker: 'it is a marker',
  injected: 'the agent itself added it, and it is old',
  'code-block': 'the code block is long',
  edits: 'several edits are shown as one list',
  pressure: 'the context would not have fit',
  agent: 'the agent asked for it',
  user: 'a person asked for it',
}
