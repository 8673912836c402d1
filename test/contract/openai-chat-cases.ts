import type { RuleCase } from './rule-case.ts'

const user = { role: 'user', content: 'Fix the parser.' }
const call = (id: string, rest: object = {}): object => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: '{"path":"a.ts"}', ...rest },
})
const calls = (...tool_calls: object[]): object => ({
  role: 'assistant',
  content: null,
  tool_calls,
})
const tool = (tool_call_id: string, content = 'let a = 1'): object => ({
  role: 'tool',
  tool_call_id,
  content,
})
const request = (...messages: unknown[]): object => ({ model: 'gpt-5.5', messages })
const pair = [calls(call('call_1')), tool('call_1')]
const shortPair = [calls(call('a1B2c3D4e')), tool('a1B2c3D4e')]
const id = (rule: string): string => `openai-chat/${rule}`

export const openaiChatCases: readonly RuleCase[] = [
  {
    scope: 'request',
    rule: id('not-json'),
    broken: 'hello',
    kept: request(user),
    where: '',
    message:
      "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON. If you have trouble figuring out how to fix this, please contact us through our help center at help.openai.com.)",
  },
  {
    scope: 'request',
    rule: id('messages-required'),
    broken: { model: 'gpt-5.5' },
    kept: request(user),
    where: 'messages',
    message: "Missing required parameter: 'messages'.",
  },
  {
    scope: 'request',
    rule: id('messages-empty'),
    broken: request(),
    kept: request(user),
    where: 'messages',
    message:
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
  },
  {
    scope: 'request',
    rule: id('role-invalid'),
    broken: request({ role: 'model', content: 'Hi' }),
    kept: request({ role: 'developer', content: 'Hi' }),
    where: 'messages[0].role',
    message:
      "Invalid value: 'model'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
  },
  {
    scope: 'request',
    rule: id('content-null'),
    broken: request(user, { role: 'assistant', content: null }),
    kept: request(user, { role: 'assistant', content: '' }),
    where: 'messages[1].content',
    message: "Invalid value for 'content': expected a string, got null.",
  },
  {
    scope: 'request',
    rule: id('tool-without-calls'),
    broken: request(user, tool('call_1')),
    kept: request(user, ...pair),
    where: 'messages[1].role',
    message:
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
  },
  {
    scope: 'request',
    rule: id('tool-call-id-unknown'),
    broken: request(user, ...pair, tool('call_9')),
    kept: request(user, calls(call('call_1'), call('call_9')), tool('call_9'), tool('call_1')),
    where: 'messages[3].tool_call_id',
    message:
      "Invalid parameter: 'tool_call_id' of 'call_9' not found in 'tool_calls' of previous message.",
  },
  {
    scope: 'request',
    rule: id('tool-call-id-required'),
    broken: request(user, ...pair, { role: 'tool', content: 'x' }),
    kept: request(user, ...pair),
    where: 'messages[3]',
    message:
      "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.",
  },
  {
    scope: 'request',
    rule: id('tool-call-without-answer'),
    broken: request(user, calls(call('call_1'), call('call_2')), user),
    kept: request(
      user,
      calls(call('call_1'), call('call_2')),
      tool('call_1'),
      tool('call_2'),
      user,
    ),
    where: 'messages[1]',
    message:
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1, call_2",
  },
  {
    scope: 'request',
    rule: id('tool-calls-empty'),
    broken: request(user, { role: 'assistant', content: 'Hi', tool_calls: [] }),
    kept: request(user, { role: 'assistant', content: 'Hi' }),
    where: 'messages[1].tool_calls',
    message:
      "Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.",
  },
  {
    scope: 'request',
    rule: id('arguments-not-text'),
    broken: request(user, calls(call('call_1', { arguments: {} })), tool('call_1')),
    kept: request(user, calls(call('call_1', { arguments: '{}' })), tool('call_1')),
    where: 'messages[1].tool_calls[0].function.arguments',
    message:
      "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string, but got an object instead.",
  },
  {
    scope: 'request',
    rule: id('tool-call-id-too-long'),
    broken: request(user, calls(call('c'.repeat(41))), tool('c'.repeat(41))),
    kept: request(user, calls(call('c'.repeat(40))), tool('c'.repeat(40))),
    where: 'messages[1].tool_calls[0].id',
    message:
      "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 41 instead.",
  },
  {
    scope: 'request',
    rule: id('reasoning-not-passed-back'),
    model: 'deepseek-v4-pro',
    broken: request(user, { role: 'assistant', content: 'Done.' }, user),
    kept: request(user, { role: 'assistant', content: 'Done.', reasoning_content: '' }, user),
    where: 'messages[1]',
    message: 'The `reasoning_content` in the thinking mode must be passed back to the API.',
  },
  {
    scope: 'request',
    rule: id('reasoning-missing-on-calls'),
    model: 'kimi-k2-thinking',
    broken: request(user, { ...pair[0], reasoning_content: '' }, tool('call_1')),
    kept: request(user, { ...pair[0], reasoning_content: '—' }, tool('call_1'), {
      role: 'assistant',
      content: 'Done.',
    }),
    where: 'messages[1]',
    message:
      'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1',
  },
  {
    scope: 'request',
    rule: id('tool-call-id-shape'),
    model: 'devstral-small-2',
    broken: request(user, ...pair),
    kept: request(user, ...shortPair),
    where: 'messages[1].tool_calls[0].id',
    message: 'Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.',
  },
  {
    scope: 'request',
    rule: id('user-after-tool'),
    model: 'mistral-large-latest',
    broken: request(user, ...shortPair, user),
    kept: request(user, ...shortPair, { role: 'assistant', content: 'Done.' }, user),
    where: 'messages[3]',
    message: "Unexpected role 'user' after role 'tool'",
  },
  {
    scope: 'change',
    rule: id('messages-moved'),
    before: request(user, ...pair),
    broken: request(user),
    kept: request(user, calls(call('call_1', { arguments: '{}' })), tool('call_1', 'pruned'), user),
    where: 'messages[1]',
    message: 'messages[1]: messages must stay, with their roles and in their order',
  },
  {
    scope: 'change',
    rule: id('ids-changed'),
    before: request(user, ...pair),
    broken: request(user, calls(call('call_1', { name: 'write' })), tool('call_1')),
    kept: request(user, calls(call('call_1', { arguments: '{}' })), tool('call_1')),
    where: 'messages[1]',
    message: 'messages[1]: the id and the name of a tool call and the id of its answer must stay',
  },
  {
    scope: 'change',
    rule: id('user-text-changed'),
    before: request({
      role: 'user',
      content: [{ type: 'text', text: 'See:' }, { type: 'image_url' }],
    }),
    broken: request({ role: 'user', content: [{ type: 'image_url' }] }),
    kept: request({
      role: 'user',
      content: [
        { type: 'text', text: 'See:' },
        { type: 'text', text: '[image]' },
      ],
    }),
    where: 'messages[0].content',
    message: 'messages[0].content: text of the user must stay as it was',
  },
  {
    scope: 'change',
    rule: id('signed-reasoning-altered'),
    before: request(user, {
      role: 'assistant',
      content: 'a',
      reasoning_details: [{ data: 'xyz' }],
    }),
    broken: request(user, { role: 'assistant', content: 'a', reasoning_details: [{ data: 'x' }] }),
    kept: request(user, { role: 'assistant', content: 'b' }),
    where: 'messages[1]',
    message:
      'messages[1]: reasoning that the provider signed or encrypted stays whole or goes whole',
  },
]
