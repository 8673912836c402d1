import type { ObjectFormatName } from '../format.ts'
import { changeRules, type Rule, userTextChangedRule } from '../rule.ts'

/** The rules about changes to a list. */
export interface ChangeRules {
  readonly messagesMoved: Rule
  readonly partsMoved: Rule
  readonly idsChanged: Rule
  readonly userTextChanged: Rule
  readonly signedReasoningAltered: Rule
  readonly opaqueChanged: Rule
}

/** Creates the change rules of a format. */
export function listChangeRules(format: ObjectFormatName): ChangeRules {
  const rule = changeRules(format)
  return {
    messagesMoved: rule(
      'messages-moved',
      '{where}: messages must stay, with their roles and in their order',
      'a promise of ours: order is never touched',
    ),
    partsMoved: rule(
      'parts-moved',
      '{where}: only reasoning and markers may go, and what stays keeps its order',
      'a promise of ours: order is never touched',
    ),
    idsChanged: rule(
      'ids-changed',
      '{where}: ids and the names of tools must stay',
      'a promise of ours: ids are never touched',
    ),
    userTextChanged: userTextChangedRule(format),
    signedReasoningAltered: rule(
      'signed-reasoning-altered',
      '{where}: reasoning that the provider signed or encrypted stays whole or goes whole',
      'a promise of ours: signatures are never touched',
    ),
    opaqueChanged: rule(
      'opaque-changed',
      '{where}: what belongs to the provider must stay as it was',
      'a promise of ours: opaque provider blocks are never touched',
    ),
  }
}
