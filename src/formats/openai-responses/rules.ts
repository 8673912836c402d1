import {
  changeRules,
  openaiArgumentsRule,
  openaiNotJsonRule,
  type Rule,
  requestRules,
  userTextChangedRule,
} from '../rule.ts'

const request = requestRules('openai-responses')

const change = changeRules('openai-responses')

export const notJson: Rule = openaiNotJsonRule('openai-responses')

export const inputRequired: Rule = request(
  'input-required',
  'One of "input" or "previous_response_id" or \'prompt\' or \'conversation_id\' must be provided.',
  'OpenAI API, errors',
)

export const roleInvalid: Rule = request(
  'role-invalid',
  "Invalid value: '{role}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
  'OpenAI API, errors',
)

export const parameterMissing: Rule = request(
  'parameter-missing',
  "Missing required parameter: '{where}'.",
  'OpenAI API, errors',
)

export const argumentsNotText: Rule = openaiArgumentsRule('openai-responses')

export const callIdTooLong: Rule = request(
  'call-id-too-long',
  "Invalid '{where}': string too long. Expected a string with maximum length 64, but got a string with length {length} instead.",
  'OpenAI API, errors',
  { families: 'limitsCallIds' },
)

export const callWithoutOutput: Rule = request(
  'call-without-output',
  'No tool output found for {kind} {id}.',
  'anomalyco/opencode#16717; diegosouzapw/OmniRoute#8946 for custom calls',
)

export const outputWithoutCall: Rule = request(
  'output-without-call',
  'No tool call found for {kind} output with call_id {id}.',
  'microsoft/vscode#320060; continuedev/continue#10092',
)

export const duplicateItem: Rule = request(
  'duplicate-item',
  'Duplicate item found with id {id}. Remove duplicate items from your input and try again.',
  'earendil-works/pi#5151; vercel/ai#7883',
)

export const reasoningWithoutFollower: Rule = request(
  'reasoning-without-follower',
  "Item '{id}' of type 'reasoning' was provided without its required following item.",
  'continuedev/continue#8933; openai/openai-node#1567',
)

export const itemNotPersisted: Rule = request(
  'item-not-persisted',
  "Item with id '{id}' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
  'can1357/oh-my-pi#41; anomalyco/opencode#7724',
)

export const requiredReasoningMissing: Rule = change(
  'required-reasoning-missing',
  "Item '{id}' of type '{type}' was provided without its required 'reasoning' item: '{reasoning}'.",
  'TanStack/ai#1212',
  { quoted: true },
)

export const encryptedContentAltered: Rule = change(
  'encrypted-content-altered',
  'The encrypted content {start} could not be verified. Reason: Encrypted content could not be decrypted or parsed.',
  'openai/codex#25290',
  { quoted: true },
)

export const storedInputChanged: Rule = change(
  'stored-input-changed',
  '{where}: a request that continues {stored} cannot be pruned, because the provider has the rest',
  'docs, compaction: with previous_response_id do not prune',
)

export const opaqueItemChanged: Rule = change(
  'opaque-item-changed',
  "{where}: items of type '{type}' belong to the provider and cannot be changed or left out",
  'docs, compaction and conversation state',
)

export const itemsMoved: Rule = change(
  'items-moved',
  '{where}: items must stay, with their roles and in their order',
  'a promise of ours: order is never touched',
)

export const idsChanged: Rule = change(
  'ids-changed',
  '{where}: the ids and the name of a call and the id of its output must stay',
  'a promise of ours: ids are never touched',
)

export const userTextChanged: Rule = userTextChangedRule('openai-responses')
