import type { Rule } from '../rule.ts'

const request = {
  format: 'openai-responses',
  scope: 'request',
  families: 'all',
  quoted: true,
} as const

const change = {
  format: 'openai-responses',
  scope: 'change',
  families: 'all',
  quoted: false,
} as const

export const notJson: Rule = {
  ...request,
  id: 'openai-responses/not-json',
  words:
    "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON. If you have trouble figuring out how to fix this, please contact us through our help center at help.openai.com.)",
  source: 'OpenAI API, errors',
}

export const inputRequired: Rule = {
  ...request,
  id: 'openai-responses/input-required',
  words:
    'One of "input" or "previous_response_id" or \'prompt\' or \'conversation_id\' must be provided.',
  source: 'OpenAI API, errors',
}

export const roleInvalid: Rule = {
  ...request,
  id: 'openai-responses/role-invalid',
  words:
    "Invalid value: '{role}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
  source: 'OpenAI API, errors',
}

export const parameterMissing: Rule = {
  ...request,
  id: 'openai-responses/parameter-missing',
  words: "Missing required parameter: '{where}'.",
  source: 'OpenAI API, errors',
}

export const argumentsNotText: Rule = {
  ...request,
  id: 'openai-responses/arguments-not-text',
  words: "Invalid type for '{where}': expected a string, but got {kind} instead.",
  source: 'OpenAI API, errors',
}

export const callIdTooLong: Rule = {
  ...request,
  id: 'openai-responses/call-id-too-long',
  families: 'limitsCallIds',
  words:
    "Invalid '{where}': string too long. Expected a string with maximum length 64, but got a string with length {length} instead.",
  source: 'OpenAI API, errors',
}

export const callWithoutOutput: Rule = {
  ...request,
  id: 'openai-responses/call-without-output',
  words: 'No tool output found for {kind} {id}.',
  source: 'anomalyco/opencode#16717; diegosouzapw/OmniRoute#8946 for custom calls',
}

export const outputWithoutCall: Rule = {
  ...request,
  id: 'openai-responses/output-without-call',
  words: 'No tool call found for {kind} output with call_id {id}.',
  source: 'microsoft/vscode#320060; continuedev/continue#10092',
}

export const duplicateItem: Rule = {
  ...request,
  id: 'openai-responses/duplicate-item',
  words: 'Duplicate item found with id {id}. Remove duplicate items from your input and try again.',
  source: 'earendil-works/pi#5151; vercel/ai#7883',
}

export const reasoningWithoutFollower: Rule = {
  ...request,
  id: 'openai-responses/reasoning-without-follower',
  words: "Item '{id}' of type 'reasoning' was provided without its required following item.",
  source: 'continuedev/continue#8933; openai/openai-node#1567',
}

export const itemNotPersisted: Rule = {
  ...request,
  id: 'openai-responses/item-not-persisted',
  words:
    "Item with id '{id}' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
  source: 'can1357/oh-my-pi#41; anomalyco/opencode#7724',
}

export const requiredReasoningMissing: Rule = {
  ...change,
  id: 'openai-responses/required-reasoning-missing',
  words:
    "Item '{id}' of type '{type}' was provided without its required 'reasoning' item: '{reasoning}'.",
  quoted: true,
  source: 'TanStack/ai#1212',
}

export const encryptedContentAltered: Rule = {
  ...change,
  id: 'openai-responses/encrypted-content-altered',
  words:
    'The encrypted content {start} could not be verified. Reason: Encrypted content could not be decrypted or parsed.',
  quoted: true,
  source: 'openai/codex#25290',
}

export const storedInputChanged: Rule = {
  ...change,
  id: 'openai-responses/stored-input-changed',
  words:
    '{where}: what goes on from {stored} cannot be pruned, because the provider holds the rest',
  source: 'docs, compaction: with previous_response_id do not prune',
}

export const opaqueItemChanged: Rule = {
  ...change,
  id: 'openai-responses/opaque-item-changed',
  words: "{where}: items of type '{type}' belong to the provider and cannot be changed or left out",
  source: 'docs, compaction and conversation state',
}

export const itemsMoved: Rule = {
  ...change,
  id: 'openai-responses/items-moved',
  words: '{where}: items must stay, with their roles and in their order',
  source: 'a promise of ours: order is never touched',
}

export const idsChanged: Rule = {
  ...change,
  id: 'openai-responses/ids-changed',
  words: '{where}: the ids and the name of a call and the id of its output must stay',
  source: 'a promise of ours: ids are never touched',
}

export const userTextChanged: Rule = {
  ...change,
  id: 'openai-responses/user-text-changed',
  words: '{where}: text of the user must stay as it was',
  source: 'a promise of ours: user prose is never touched',
}

export const openaiResponsesRules: readonly Rule[] = [
  notJson,
  inputRequired,
  roleInvalid,
  parameterMissing,
  argumentsNotText,
  callIdTooLong,
  callWithoutOutput,
  outputWithoutCall,
  duplicateItem,
  reasoningWithoutFollower,
  itemNotPersisted,
  requiredReasoningMissing,
  encryptedContentAltered,
  storedInputChanged,
  opaqueItemChanged,
  itemsMoved,
  idsChanged,
  userTextChanged,
]
