import { type ChangeRules, listChangeRules } from '../object/change-rules.ts'
import { type Rule, requestRules } from '../rule.ts'

const request = requestRules('opencode', { quoted: false })

export const notAList: Rule = request(
  'not-a-list',
  'the messages must be a list',
  'OpenCode 1.18, hook experimental.chat.messages.transform',
)

export const messageShape: Rule = request(
  'message-shape',
  '{where}: a message has an info with an id and a role, and a list of parts',
  'OpenCode 1.18, MessageV2.toModelMessages',
)

export const partShape: Rule = request(
  'part-shape',
  '{where}: a part of the type {type} needs {fields}',
  'OpenCode 1.18, MessageV2.toModelMessages',
)

export const stateShape: Rule = request(
  'state-shape',
  '{where}: a call that is {status} needs {fields}',
  'OpenCode 1.18, MessageV2.toModelMessages',
)

export const callIdRepeated: Rule = request(
  'call-id-repeated',
  '{where}: the call id {id} is that of an earlier call in the same message',
  'providers reject a second call of one id',
)

export const opencodeChangeRules: ChangeRules = listChangeRules('opencode')
