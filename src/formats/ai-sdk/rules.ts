import { type ChangeRules, listChangeRules } from '../object/change-rules.ts'
import { type Rule, requestRules } from '../rule.ts'

const request = requestRules('ai-sdk')

export const notAList: Rule = request(
  'not-a-list',
  'Invalid prompt: The messages do not match the ModelMessage[] schema.',
  'ai 6, standardizePrompt',
)

export const messagesEmpty: Rule = request(
  'messages-empty',
  'Invalid prompt: messages must not be empty',
  'ai 6, standardizePrompt',
)

export const messageShape: Rule = request(
  'message-shape',
  'Invalid prompt: The messages do not match the ModelMessage[] schema.',
  'ai 6, standardizePrompt',
)

export const partShape: Rule = request(
  'part-shape',
  'Invalid prompt: The messages do not match the ModelMessage[] schema.',
  'ai 6, standardizePrompt',
)

export const contentEmpty: Rule = request(
  'content-empty',
  '{where}: a message needs at least one part',
  'providers reject a message without content',
  { quoted: false },
)

export const toolResultsMissing: Rule = request(
  'tool-results-missing',
  'Tool {results} missing for tool {calls} {ids}.',
  'ai 6 and 7, MissingToolResultsError',
)

export const toolResultWithoutCall: Rule = request(
  'tool-result-without-call',
  '{where}: there is no tool call {id} before this result',
  'providers reject a result without its call',
  { quoted: false },
)

export const toolResultRepeated: Rule = request(
  'tool-result-repeated',
  '{where}: the tool call {id} has a result already',
  'providers reject a second result of one call',
  { quoted: false },
)

export const aiSdkChangeRules: ChangeRules = listChangeRules('ai-sdk')
