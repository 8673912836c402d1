import { type ChangeRules, changeRules } from '../object/change-rules.ts'
import type { ObjectRule } from '../object/object-rule.ts'

const request = { format: 'opencode', scope: 'request', quoted: false } as const

export const notAList: ObjectRule = {
  ...request,
  id: 'opencode/not-a-list',
  words: 'the messages must be a list',
  source: 'OpenCode 1.18, hook experimental.chat.messages.transform',
}

export const messageShape: ObjectRule = {
  ...request,
  id: 'opencode/message-shape',
  words: '{where}: a message has an info with an id and a role, and a list of parts',
  source: 'OpenCode 1.18, MessageV2.toModelMessages',
}

export const partShape: ObjectRule = {
  ...request,
  id: 'opencode/part-shape',
  words: '{where}: a part of the type {type} needs {fields}',
  source: 'OpenCode 1.18, MessageV2.toModelMessages',
}

export const stateShape: ObjectRule = {
  ...request,
  id: 'opencode/state-shape',
  words: '{where}: a call that is {status} needs {fields}',
  source: 'OpenCode 1.18, MessageV2.toModelMessages',
}

export const callIdRepeated: ObjectRule = {
  ...request,
  id: 'opencode/call-id-repeated',
  words: '{where}: the call id {id} is that of an earlier call in the same message',
  source: 'providers reject a second call of one id',
}

export const opencodeChangeRules: ChangeRules = changeRules('opencode')

export const opencodeRules: readonly ObjectRule[] = [
  notAList,
  messageShape,
  partShape,
  stateShape,
  callIdRepeated,
  ...Object.values(opencodeChangeRules),
]
