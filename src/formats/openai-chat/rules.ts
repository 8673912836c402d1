import type { Rule } from '../rule.ts'

const request = {
  format: 'openai-chat',
  scope: 'request',
  families: 'all',
  quoted: true,
} as const

const change = { format: 'openai-chat', scope: 'change', families: 'all', quoted: false } as const

export const notJson: Rule = {
  ...request,
  id: 'openai-chat/not-json',
  words:
    "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON. If you have trouble figuring out how to fix this, please contact us through our help center at help.openai.com.)",
  source: 'OpenAI API, errors',
}

export const messagesRequired: Rule = {
  ...request,
  id: 'openai-chat/messages-required',
  words: "Missing required parameter: 'messages'.",
  source: 'OpenAI API reference, chat completions',
}

export const messagesEmpty: Rule = {
  ...request,
  id: 'openai-chat/messages-empty',
  words:
    "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
  source: 'OpenAI API reference, chat completions',
}

export const roleInvalid: Rule = {
  ...request,
  id: 'openai-chat/role-invalid',
  words:
    "Invalid value: '{role}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
  source: 'OpenAI API, errors',
}

export const contentNull: Rule = {
  ...request,
  id: 'openai-chat/content-null',
  words: "Invalid value for 'content': expected a string, got null.",
  source: 'docker/docker-agent#63; vercel/ai#13744',
}

export const toolWithoutCalls: Rule = {
  ...request,
  id: 'openai-chat/tool-without-calls',
  words:
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
  source: 'OpenAI API, errors',
}

export const toolCallIdUnknown: Rule = {
  ...request,
  id: 'openai-chat/tool-call-id-unknown',
  words:
    "Invalid parameter: 'tool_call_id' of '{id}' not found in 'tool_calls' of previous message.",
  source: 'cline, transform of tool ids for OpenAI',
}

export const toolCallIdRequired: Rule = {
  ...request,
  id: 'openai-chat/tool-call-id-required',
  words: "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.",
  source: 'OpenAI API, errors',
}

export const toolCallWithoutAnswer: Rule = {
  ...request,
  id: 'openai-chat/tool-call-without-answer',
  words:
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: {ids}",
  source: 'router-for-me/CLIProxyAPI#2798; BerriAI/litellm#10083',
}

export const toolCallsEmpty: Rule = {
  ...request,
  id: 'openai-chat/tool-calls-empty',
  words:
    "Invalid '{where}': empty array. Expected an array with minimum length 1, but got an empty array instead.",
  source: 'OpenAI API, errors',
}

export const argumentsNotText: Rule = {
  ...request,
  id: 'openai-chat/arguments-not-text',
  words: "Invalid type for '{where}': expected a string, but got {kind} instead.",
  source: 'OpenAI API, errors',
}

export const toolCallIdTooLong: Rule = {
  ...request,
  id: 'openai-chat/tool-call-id-too-long',
  families: 'limitsCallIds',
  words:
    "Invalid '{where}': string too long. Expected a string with maximum length 40, but got a string with length {length} instead.",
  source: 'OpenAI API, errors; cline, transform of tool ids for OpenAI',
}

export const reasoningNotPassedBack: Rule = {
  ...request,
  id: 'openai-chat/reasoning-not-passed-back',
  families: 'wantsReasoningOnAll',
  words: 'The `reasoning_content` in the thinking mode must be passed back to the API.',
  source: 'earendil-works/pi#3636; openclaw#73417',
}

export const reasoningMissingOnCalls: Rule = {
  ...request,
  id: 'openai-chat/reasoning-missing-on-calls',
  families: 'wantsReasoningOnCalls',
  words:
    'thinking is enabled but reasoning_content is missing in assistant tool call message at index {index}',
  source: 'anomalyco/opencode#10996; crush#2696: an empty text counts as missing',
}

export const toolCallIdShape: Rule = {
  ...request,
  id: 'openai-chat/tool-call-id-shape',
  families: 'wantsShortCallIds',
  words: 'Tool call id was {id} but must be a-z, A-Z, 0-9, with a length of 9.',
  source: 'karthink/gptel#1203; BibekBhusal0/zen-custom-js#7',
}

export const userAfterTool: Rule = {
  ...request,
  id: 'openai-chat/user-after-tool',
  families: 'rejectsUserAfterTool',
  words: "Unexpected role 'user' after role 'tool'",
  source: 'datapizza-labs/datapizza-ai#98; aliou/pi-neuralwatt#12',
}

export const messagesMoved: Rule = {
  ...change,
  id: 'openai-chat/messages-moved',
  words: '{where}: messages must stay, with their roles and in their order',
  source: 'a promise of ours: order is never touched',
}

export const idsChanged: Rule = {
  ...change,
  id: 'openai-chat/ids-changed',
  words: '{where}: the id and the name of a tool call and the id of its answer must stay',
  source: 'a promise of ours: ids are never touched',
}

export const userTextChanged: Rule = {
  ...change,
  id: 'openai-chat/user-text-changed',
  words: '{where}: text of the user must stay as it was',
  source: 'a promise of ours: user prose is never touched',
}

export const signedReasoningAltered: Rule = {
  ...change,
  id: 'openai-chat/signed-reasoning-altered',
  words: '{where}: reasoning that the provider signed or encrypted stays whole or goes whole',
  source: 'OpenRouter, reasoning_details; Gemini through its OpenAI-compatible route',
}

export const openaiChatRules: readonly Rule[] = [
  notJson,
  messagesRequired,
  messagesEmpty,
  roleInvalid,
  contentNull,
  toolWithoutCalls,
  toolCallIdUnknown,
  toolCallIdRequired,
  toolCallWithoutAnswer,
  toolCallsEmpty,
  argumentsNotText,
  toolCallIdTooLong,
  reasoningNotPassedBack,
  reasoningMissingOnCalls,
  toolCallIdShape,
  userAfterTool,
  messagesMoved,
  idsChanged,
  userTextChanged,
  signedReasoningAltered,
]
