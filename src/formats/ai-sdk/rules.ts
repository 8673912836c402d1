import { type ChangeRules, changeRules } from '../object/change-rules.ts'
import type { ObjectRule } from '../object/object-rule.ts'

const request = { format: 'ai-sdk', scope: 'request' } as const

export const notAList: ObjectRule = {
  ...request,
  id: 'ai-sdk/not-a-list',
  words: 'Invalid prompt: The messages do not match the ModelMessage[] schema.',
  quoted: true,
  source: 'ai 6, standardizePrompt',
}

export const messagesEmpty: ObjectRule = {
  ...request,
  id: 'ai-sdk/messages-empty',
  words: 'Invalid prompt: messages must not be empty',
  quoted: true,
  source: 'ai 6, standardizePrompt',
}

export const messageShape: ObjectRule = {
  ...request,
  id: 'ai-sdk/message-shape',
  words: 'Invalid prompt: The messages do not match the ModelMessage[] schema.',
  quoted: true,
  source: 'ai 6, standardizePrompt',
}

export const partShape: ObjectRule = {
  ...request,
  id: 'ai-sdk/part-shape',
  words: 'Invalid prompt: The messages do not match the ModelMessage[] schema.',
  quoted: true,
  source: 'ai 6, standardizePrompt',
}

export const contentEmpty: ObjectRule = {
  ...request,
  id: 'ai-sdk/content-empty',
  words: '{where}: a message needs at least one part',
  quoted: false,
  source: 'providers reject a message without content',
}

export const toolResultsMissing: ObjectRule = {
  ...request,
  id: 'ai-sdk/tool-results-missing',
  words: 'Tool {results} missing for tool {calls} {ids}.',
  quoted: true,
  source: 'ai 6 and 7, MissingToolResultsError',
}

export const toolResultWithoutCall: ObjectRule = {
  ...request,
  id: 'ai-sdk/tool-result-without-call',
  words: '{where}: there is no tool call {id} before this result',
  quoted: false,
  source: 'providers reject a result without its call',
}

export const toolResultRepeated: ObjectRule = {
  ...request,
  id: 'ai-sdk/tool-result-repeated',
  words: '{where}: the tool call {id} has a result already',
  quoted: false,
  source: 'providers reject a second result of one call',
}

export const aiSdkChangeRules: ChangeRules = changeRules('ai-sdk')

export const aiSdkRules: readonly ObjectRule[] = [
  notAList,
  messagesEmpty,
  messageShape,
  partShape,
  contentEmpty,
  toolResultsMissing,
  toolResultWithoutCall,
  toolResultRepeated,
  ...Object.values(aiSdkChangeRules),
]
