import type { RuleCase } from './rule-case.ts'

const user = { role: 'user', content: [{ type: 'input_text', text: 'Fix the parser.' }] }
const call = (call_id: string, rest: object = {}): object => ({
  type: 'function_call',
  call_id,
  name: 'exec_command',
  arguments: '{"cmd":"ls"}',
  ...rest,
})
const output = (call_id: string, text = 'a.ts'): object => ({
  type: 'function_call_output',
  call_id,
  output: text,
})
const reasoning = (rest: object): object => ({ type: 'reasoning', summary: [], ...rest })
const answer = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'k' }] }
const request = (...input: unknown[]): object => ({ model: 'gpt-5.5', store: false, input })
const id = (rule: string): string => `openai-responses/${rule}`

export const openaiResponsesCases: readonly RuleCase[] = [
  {
    scope: 'request',
    rule: id('not-json'),
    broken: '',
    kept: request(user),
    where: '',
    message:
      "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON. If you have trouble figuring out how to fix this, please contact us through our help center at help.openai.com.)",
  },
  {
    scope: 'request',
    rule: id('input-required'),
    broken: { model: 'gpt-5.5' },
    kept: { model: 'gpt-5.5', previous_response_id: 'resp_1' },
    where: 'input',
    message:
      'One of "input" or "previous_response_id" or \'prompt\' or \'conversation_id\' must be provided.',
  },
  {
    scope: 'request',
    rule: id('role-invalid'),
    broken: request(user, { role: 'tool', content: 'x' }),
    kept: request(user, { role: 'developer', content: 'x' }),
    where: 'input[1].role',
    message:
      "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
  },
  {
    scope: 'request',
    rule: id('parameter-missing'),
    broken: request(user, call('call_1'), { type: 'function_call_output', call_id: 'call_1' }),
    kept: request(user, call('call_1'), output('call_1', '')),
    where: 'input[2].output',
    message: "Missing required parameter: 'input[2].output'.",
  },
  {
    scope: 'request',
    rule: id('arguments-not-text'),
    broken: request(user, call('call_1', { arguments: [1] }), output('call_1')),
    kept: request(user, call('call_1', { arguments: '[1]' }), output('call_1')),
    where: 'input[1].arguments',
    message: "Invalid type for 'input[1].arguments': expected a string, but got an array instead.",
  },
  {
    scope: 'request',
    rule: id('call-id-too-long'),
    broken: request(user, call('c'.repeat(64)), output('c'.repeat(64)), {
      type: 'local_shell_call_output',
      call_id: 'd'.repeat(65),
      output: '',
    }),
    kept: request(user, call('c'.repeat(64)), output('c'.repeat(64))),
    where: 'input[3].call_id',
    message:
      "Invalid 'input[3].call_id': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
  },
  {
    scope: 'request',
    rule: id('call-without-output'),
    broken: request(user, { type: 'custom_tool_call', call_id: 'call_1', name: 'p', input: '' }),
    kept: request(
      user,
      { type: 'custom_tool_call', call_id: 'call_1', name: 'p', input: '' },
      { type: 'custom_tool_call_output', call_id: 'call_1', output: 'aborted' },
    ),
    where: 'input[1]',
    message: 'No tool output found for custom tool call call_1.',
  },
  {
    scope: 'request',
    rule: id('output-without-call'),
    broken: request(user, output('call_1')),
    kept: { ...request(user, output('call_1')), previous_response_id: 'resp_1' },
    where: 'input[1]',
    message: 'No tool call found for function call output with call_id call_1.',
  },
  {
    scope: 'request',
    rule: id('duplicate-item'),
    broken: request(user, { ...answer, id: 'msg_1' }, user, { ...answer, id: 'msg_1' }),
    kept: request(user, { ...answer, id: 'msg_1' }, user, { ...answer, id: 'msg_2' }),
    where: 'input[3]',
    message:
      'Duplicate item found with id msg_1. Remove duplicate items from your input and try again.',
  },
  {
    scope: 'request',
    rule: id('reasoning-without-follower'),
    broken: request(user, reasoning({ id: 'rs_1', encrypted_content: 'x' }), user),
    kept: request(user, reasoning({ id: 'rs_1', encrypted_content: 'x' }), answer, user),
    where: 'input[1]',
    message: "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
  },
  {
    scope: 'request',
    rule: id('item-not-persisted'),
    broken: request(user, reasoning({ id: 'rs_1' }), answer),
    kept: { ...request(user, reasoning({ id: 'rs_1' }), answer), store: true },
    where: 'input[1]',
    message:
      "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
  },
  {
    scope: 'change',
    rule: id('required-reasoning-missing'),
    before: request(
      user,
      reasoning({ id: 'rs_1', encrypted_content: 'x' }),
      call('c', { id: 'fc_1' }),
      output('c'),
    ),
    broken: request(user, call('c', { id: 'fc_1' }), output('c')),
    kept: request(
      user,
      reasoning({ id: 'rs_1', encrypted_content: 'x' }),
      call('c', { id: 'fc_1' }),
      output('c', 'pruned'),
    ),
    where: 'input[1]',
    message:
      "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'.",
  },
  {
    scope: 'change',
    rule: id('encrypted-content-altered'),
    before: request(
      user,
      reasoning({ encrypted_content: 'gAAAAABabcdefgh' }),
      call('c'),
      output('c'),
    ),
    broken: request(
      user,
      reasoning({ encrypted_content: 'gAAAAABabcdefg—' }),
      call('c'),
      output('c'),
    ),
    kept: request(user, call('c'), output('c')),
    where: 'input[1]',
    message:
      'The encrypted content gAAAAABabcde... could not be verified. Reason: Encrypted content could not be decrypted or parsed.',
  },
  {
    scope: 'change',
    rule: id('stored-input-changed'),
    before: { ...request(output('c', 'a long text')), previous_response_id: 'resp_1' },
    broken: { ...request(output('c', 'pruned')), previous_response_id: 'resp_1' },
    kept: { ...request(output('c', 'a long text')), previous_response_id: 'resp_1', tools: [] },
    where: 'input',
    message:
      'input: a request that continues previous_response_id cannot be pruned, because the provider has the rest',
  },
  {
    scope: 'change',
    rule: id('opaque-item-changed'),
    before: request(user, { type: 'web_search_call', id: 'ws_1', status: 'completed' }, answer),
    broken: request(user, answer),
    kept: request(user, { type: 'web_search_call', id: 'ws_1', status: 'completed' }, answer, user),
    where: 'input[1]',
    message:
      "input[1]: items of type 'web_search_call' belong to the provider and cannot be changed or left out",
  },
  {
    scope: 'change',
    rule: id('items-moved'),
    before: request(user, call('c'), output('c'), answer),
    broken: request(user, answer),
    kept: request(user, call('c', { arguments: '{}' }), output('c', '—'), answer, user),
    where: 'input[1]',
    message: 'input[1]: items must stay, with their roles and in their order',
  },
  {
    scope: 'change',
    rule: id('ids-changed'),
    before: request(user, call('c'), output('c')),
    broken: request(user, call('c', { namespace: 'mcp__x' }), output('c')),
    kept: request(user, call('c', { arguments: '{}' }), output('c')),
    where: 'input[1]',
    message: 'input[1]: the ids and the name of a call and the id of its output must stay',
  },
  {
    scope: 'change',
    rule: id('user-text-changed'),
    before: request(user),
    broken: request({ role: 'user', content: [{ type: 'input_text', text: '—' }] }),
    kept: request({ role: 'user', content: 'Fix the parser.' }),
    where: 'input[0].content',
    message: 'input[0].content: text of the user must stay as it was',
  },
]
