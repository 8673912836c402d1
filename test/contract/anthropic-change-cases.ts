import type { ChangeCase } from './rule-case.ts'

const thinking = (name: string, rest: object = {}): object => ({
  type: 'thinking',
  thinking: `about ${name}`,
  signature: `signed-${name}`,
  ...rest,
})
const used = (id: string): object => ({ type: 'tool_use', id, name: 'read', input: { path: 'a' } })
const result = (id: string, content: string): object => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content }],
})
const assistant = (...content: object[]): object => ({ role: 'assistant', content })
const question = { role: 'user', content: [{ type: 'text', text: 'Fix the parser.' }] }
const request = (...messages: unknown[]): object => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 100,
  system: 'Be brief.',
  messages,
})

/** A finished tool loop, then another that is still open. */
const full = [
  question,
  assistant(thinking('one'), thinking('two'), used('toolu_1')),
  result('toolu_1', 'a long file'),
  { role: 'assistant', content: 'Done.' },
  question,
  assistant(thinking('three'), used('toolu_2')),
  result('toolu_2', 'another long file'),
]
const before = request(...full)
const pruned = request(...full.with(2, result('toolu_1', 'pruned')))

function changeCase(rule: string, rest: Omit<ChangeCase, 'rule' | 'scope'>): ChangeCase {
  return { scope: 'change', rule: `anthropic/${rule}`, ...rest }
}

const serverTool = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
const searched = [question, assistant(serverTool, { type: 'text', text: 'Found.' }), question]

export const anthropicChangeCases: readonly ChangeCase[] = [
  changeCase('latest-thinking-modified', {
    before,
    broken: request(...full.with(5, assistant(used('toolu_2')))),
    kept: pruned,
    where: 'messages.5.content.0',
    message:
      'messages.5.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
  }),
  changeCase('signed-block-altered', {
    before,
    broken: request(
      ...full.with(
        1,
        assistant(thinking('one', { thinking: '—' }), thinking('two'), used('toolu_1')),
      ),
    ),
    kept: request(...full.with(1, assistant(used('toolu_1')))),
    where: 'messages.1.content.0',
    message: 'messages.1.content.0: Invalid `signature` in `thinking` block',
  }),
  changeCase('thinking-sequence', {
    before,
    broken: request(...full.with(1, assistant(thinking('two'), used('toolu_1')))),
    kept: request(...full.with(1, assistant(used('toolu_1')))),
    where: 'messages.1.content.0',
    message:
      'messages.1.content.0: thinking of the current tool loop stays, and that of an earlier message stays or goes as a whole',
  }),
  changeCase('prefix-changed', {
    model: 'claude-opus-5-5',
    before,
    broken: pruned,
    kept: request(...full.with(6, result('toolu_2', 'pruned'))),
    where: 'messages.5.content.0',
    message:
      'messages.5.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
  }),
  changeCase('opaque-block-changed', {
    before: request(...searched),
    broken: request(
      ...searched.with(
        1,
        assistant({ ...serverTool, input: { q: 1 } }, { type: 'text', text: 'Found.' }),
      ),
    ),
    kept: request(...searched.with(1, assistant(serverTool, { type: 'text', text: '—' }))),
    where: 'messages.1.content.0',
    message:
      'messages.1.content.0: `server_tool_use` blocks belong to the provider and cannot be changed or left out',
  }),
  changeCase('messages-moved', {
    before: request(question, { role: 'assistant', content: 'Yes.' }, question),
    broken: request(question, question),
    kept: request(question, { role: 'assistant', content: '—' }, question, question),
    where: 'messages.1',
    message: 'messages.1: messages and their blocks must stay, with their roles and in their order',
  }),
  changeCase('ids-changed', {
    before: request(question, assistant(used('toolu_1')), result('toolu_1', 'a')),
    broken: request(question, assistant(used('toolu_1')), result('toolu_9', 'a')),
    kept: request(question, assistant(used('toolu_1')), result('toolu_1', 'b')),
    where: 'messages.2.content.0',
    message:
      'messages.2.content.0: the id and the name of a tool call and the id of its result must stay',
  }),
  changeCase('user-text-changed', {
    before: request({ role: 'user', content: 'Fix the parser.' }),
    broken: request({ role: 'user', content: 'Fix the lexer.' }),
    kept: request(question),
    where: 'messages.0.content.0',
    message: 'messages.0.content.0: text of the user must stay as it was',
  }),
  changeCase('cache-control-changed', {
    before: request({
      role: 'user',
      content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }],
    }),
    broken: request({ role: 'user', content: [{ type: 'text', text: 'Hi' }] }),
    kept: request({
      role: 'user',
      content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral', ttl: '1h' } }],
    }),
    where: 'cache_control',
    message: 'cache_control: 1 blocks carried it, now 0 do',
  }),
]
