import {
  changeRules,
  openaiArgumentsRule,
  openaiNotJsonRule,
  type Rule,
  requestRules,
  userTextChangedRule,
} from '../rule.ts'

const request = requestRules('openai-chat')

const change = changeRules('openai-chat')

export const notJson: Rule = openaiNotJsonRule('openai-chat')

export const messagesRequired: Rule = request(
  'messages-required',
  "Missing required parameter: 'messages'.",
  'OpenAI API reference, chat completions',
)

export const messagesEmpty: Rule = request(
  'messages-empty',
  "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
  'OpenAI API reference, chat completions',
)

export const roleInvalid: Rule = request(
  'role-invalid',
  "Invalid value: '{role}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
  'OpenAI API, errors',
)

export const contentNull: Rule = request(
  'content-null',
  "Invalid value for 'content': expected a string, got null.",
  'docker/docker-agent#63; vercel/ai#13744',
)

export const toolWithoutCalls: Rule = request(
  'tool-without-calls',
  "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
  'OpenAI API, errors',
)

export const toolCallIdUnknown: Rule = request(
  'tool-call-id-unknown',
  "Invalid parameter: 'tool_call_id' of '{id}' not found in 'tool_calls' of previous message.",
  'cline, transform of tool ids for OpenAI',
)

export const toolCallIdRequired: Rule = request(
  'tool-call-id-required',
  "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.",
  'OpenAI API, errors',
)

export const toolCallWithoutAnswer: Rule = request(
  'tool-call-without-answer',
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: {ids}",
  'router-for-me/CLIProxyAPI#2798; BerriAI/litellm#10083',
)

export const toolCallsEmpty: Rule = request(
  'tool-calls-empty',
  "Invalid '{where}': empty array. Expected an array with minimum length 1, but got an empty array instead.",
  'OpenAI API, errors',
)

export const argumentsNotText: Rule = openaiArgumentsRule('openai-chat')

export const toolCallIdTooLong: Rule = request(
  'tool-call-id-too-long',
  "Invalid '{where}': string too long. Expected a string with maximum length 40, but got a string with length {length} instead.",
  'OpenAI API, errors; cline, transform of tool ids for OpenAI',
  { families: 'limitsCallIds' },
)

export const reasoningNotPassedBack: Rule = request(
  'reasoning-not-passed-back',
  'The `reasoning_content` in the thinking mode must be passed back to the API.',
  'earendil-works/pi#3636; openclaw#73417',
  { families: 'wantsReasoningOnAll' },
)

export const reasoningMissingOnCalls: Rule = request(
  'reasoning-missing-on-calls',
  'thinking is enabled but reasoning_content is missing in assistant tool call message at index {index}',
  'anomalyco/opencode#10996; crush#2696: an empty text counts as missing',
  { families: 'wantsReasoningOnCalls' },
)

export const toolCallIdShape: Rule = request(
  'tool-call-id-shape',
  'Tool call id was {id} but must be a-z, A-Z, 0-9, with a length of 9.',
  'karthink/gptel#1203; BibekBhusal0/zen-custom-js#7',
  { families: 'wantsShortCallIds' },
)

export const userAfterTool: Rule = request(
  'user-after-tool',
  "Unexpected role 'user' after role 'tool'",
  'datapizza-labs/datapizza-ai#98; aliou/pi-neuralwatt#12',
  { families: 'rejectsUserAfterTool' },
)

export const messagesMoved: Rule = change(
  'messages-moved',
  '{where}: messages must stay, with their roles and in their order',
  'a promise of ours: order is never touched',
)

export const idsChanged: Rule = change(
  'ids-changed',
  '{where}: the id and the name of a tool call and the id of its answer must stay',
  'a promise of ours: ids are never touched',
)

export const userTextChanged: Rule = userTextChangedRule('openai-chat')

export const signedReasoningAltered: Rule = change(
  'signed-reasoning-altered',
  '{where}: reasoning that the provider signed or encrypted stays whole or goes whole',
  'OpenRouter, reasoning_details; Gemini through its OpenAI-compatible route',
)
