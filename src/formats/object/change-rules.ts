import type { ObjectFormatName } from '../format.ts'
import type { ObjectRule } from './object-rule.ts'

/** What may not differ between a list and the one made from it. */
export interface ChangeRules {
  readonly messagesMoved: ObjectRule
  readonly partsMoved: ObjectRule
  readonly idsChanged: ObjectRule
  readonly userTextChanged: ObjectRule
  readonly signedReasoningAltered: ObjectRule
  readonly opaqueChanged: ObjectRule
}

/** The rules of a change, under the name of a format. */
export function changeRules(format: ObjectFormatName): ChangeRules {
  const rule = (id: string, words: string, source: string): ObjectRule => ({
    id: `${format}/${id}`,
    format,
    scope: 'change',
    words,
    quoted: false,
    source: `a promise of ours: ${source}`,
  })
  return {
    messagesMoved: rule(
      'messages-moved',
      '{where}: messages must stay, with their roles and in their order',
      'order is never touched',
    ),
    partsMoved: rule(
      'parts-moved',
      '{where}: only reasoning and markers may go, and what stays keeps its order',
      'order is never touched',
    ),
    idsChanged: rule(
      'ids-changed',
      '{where}: ids and the names of tools must stay',
      'ids are never touched',
    ),
    userTextChanged: rule(
      'user-text-changed',
      '{where}: text of the user must stay as it was',
      'user prose is never touched',
    ),
    signedReasoningAltered: rule(
      'signed-reasoning-altered',
      '{where}: reasoning that the provider signed or encrypted stays whole or goes whole',
      'signatures are never touched',
    ),
    opaqueChanged: rule(
      'opaque-changed',
      '{where}: what belongs to the provider must stay as it was',
      'opaque provider blocks are never touched',
    ),
  }
}
