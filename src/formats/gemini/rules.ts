import type { Rule } from '../rule.ts'

const request = { format: 'gemini', scope: 'request', families: 'all', quoted: true } as const

const change = { format: 'gemini', scope: 'change', families: 'all', quoted: false } as const

export const notJson: Rule = {
  ...request,
  id: 'gemini/not-json',
  words: 'Invalid JSON payload received.',
  source: 'Gemini API, errors; the provider goes on with what its parser expected',
}

export const contentsRequired: Rule = {
  ...request,
  id: 'gemini/contents-required',
  words: '* GenerateContentRequest.contents: contents is not specified',
  source: 'vercel/ai#3775; langchain-ai/langchain-google#1393',
}

export const partsEmpty: Rule = {
  ...request,
  id: 'gemini/parts-empty',
  words: '* GenerateContentRequest.contents[{index}].parts: contents.parts must not be empty.',
  source: 'vercel/ai#3775; QuantumNous/new-api#1060',
}

export const partWithoutData: Rule = {
  ...request,
  id: 'gemini/part-without-data',
  words:
    "* GenerateContentRequest.contents[{index}].parts[{part}].data: required oneof field 'data' must have one initialized field",
  source: 'router-for-me/CLIProxyAPI#1293; boldsoftware/sketch#68',
}

export const roleInvalid: Rule = {
  ...request,
  id: 'gemini/role-invalid',
  words: 'Please use a valid role: user, model.',
  source: 'Gemini API, errors',
}

export const responseCount: Rule = {
  ...request,
  id: 'gemini/response-count',
  words:
    'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
  source: 'google-gemini/gemini-cli#16415, #5443, #4217',
}

export const responseWithoutCall: Rule = {
  ...request,
  id: 'gemini/response-without-call',
  words: 'Please ensure that function response turn comes immediately after a function call turn.',
  source: 'langchain-ai/langchain#27799; lobehub/lobehub#7298',
}

export const callWithoutUser: Rule = {
  ...request,
  id: 'gemini/call-without-user',
  words:
    'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
  source: 'google-gemini/gemini-cli#11814; diegosouzapw/OmniRoute#13573',
}

export const thoughtSignatureMissing: Rule = {
  ...request,
  id: 'gemini/thought-signature-missing',
  families: 'wantsThoughtSignatures',
  words:
    'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call `default_api:{name}` , position {position}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.',
  source: 'nanbingxyz/5ire#405; 1jehuang/jcode#518',
}

export const thoughtSignatureAltered: Rule = {
  ...change,
  id: 'gemini/thought-signature-altered',
  words: 'Corrupted thought signature.',
  quoted: true,
  source: 'Gemini API, errors, quoted in public clients',
}

export const contentsMoved: Rule = {
  ...change,
  id: 'gemini/contents-moved',
  words: '{where}: contents and their parts must stay, with their roles and in their order',
  source: 'a promise of ours: order is never touched',
}

export const idsChanged: Rule = {
  ...change,
  id: 'gemini/ids-changed',
  words: '{where}: the id and the name of a function call and of its response must stay',
  source: 'a promise of ours: ids are never touched',
}

export const userTextChanged: Rule = {
  ...change,
  id: 'gemini/user-text-changed',
  words: '{where}: text of the user must stay as it was',
  source: 'a promise of ours: user prose is never touched',
}

export const opaquePartChanged: Rule = {
  ...change,
  id: 'gemini/opaque-part-changed',
  words: '{where}: a part that the provider made cannot be changed or left out',
  source: 'docs, code execution and tool parts',
}

export const geminiRules: readonly Rule[] = [
  notJson,
  contentsRequired,
  partsEmpty,
  partWithoutData,
  roleInvalid,
  responseCount,
  responseWithoutCall,
  callWithoutUser,
  thoughtSignatureMissing,
  thoughtSignatureAltered,
  contentsMoved,
  idsChanged,
  userTextChanged,
  opaquePartChanged,
]
