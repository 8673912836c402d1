import { changeRules, type Rule, requestRules, userTextChangedRule } from '../rule.ts'

const request = requestRules('gemini')

const change = changeRules('gemini')

export const notJson: Rule = request(
  'not-json',
  'Invalid JSON payload received.',
  'Gemini API, errors; the provider adds what its parser expected',
)

export const contentsRequired: Rule = request(
  'contents-required',
  '* GenerateContentRequest.contents: contents is not specified',
  'vercel/ai#3775; langchain-ai/langchain-google#1393',
)

export const partsEmpty: Rule = request(
  'parts-empty',
  '* GenerateContentRequest.contents[{index}].parts: contents.parts must not be empty.',
  'vercel/ai#3775; QuantumNous/new-api#1060',
)

export const partWithoutData: Rule = request(
  'part-without-data',
  "* GenerateContentRequest.contents[{index}].parts[{part}].data: required oneof field 'data' must have one initialized field",
  'router-for-me/CLIProxyAPI#1293; boldsoftware/sketch#68',
)

export const roleInvalid: Rule = request(
  'role-invalid',
  'Please use a valid role: user, model.',
  'Gemini API, errors',
)

export const responseCount: Rule = request(
  'response-count',
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
  'google-gemini/gemini-cli#16415, #5443, #4217',
)

export const responseWithoutCall: Rule = request(
  'response-without-call',
  'Please ensure that function response turn comes immediately after a function call turn.',
  'langchain-ai/langchain#27799; lobehub/lobehub#7298',
)

export const callWithoutUser: Rule = request(
  'call-without-user',
  'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
  'google-gemini/gemini-cli#11814; diegosouzapw/OmniRoute#13573',
)

export const thoughtSignatureMissing: Rule = request(
  'thought-signature-missing',
  'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call `default_api:{name}` , position {position}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.',
  'nanbingxyz/5ire#405; 1jehuang/jcode#518',
  { families: 'wantsThoughtSignatures' },
)

export const thoughtSignatureAltered: Rule = change(
  'thought-signature-altered',
  'Corrupted thought signature.',
  'Gemini API, errors, quoted in public clients',
  { quoted: true },
)

export const contentsMoved: Rule = change(
  'contents-moved',
  '{where}: contents and their parts must stay, with their roles and in their order',
  'a promise of ours: order is never touched',
)

export const idsChanged: Rule = change(
  'ids-changed',
  '{where}: the id and the name of a function call and of its response must stay',
  'a promise of ours: ids are never touched',
)

export const userTextChanged: Rule = userTextChangedRule('gemini')

export const opaquePartChanged: Rule = change(
  'opaque-part-changed',
  '{where}: a part that the provider made cannot be changed or left out',
  'docs, code execution and tool parts',
)
