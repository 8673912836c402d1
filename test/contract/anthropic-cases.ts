import type { RequestCase } from './rule-case.ts'

const user = { role: 'user', content: 'Fix the parser.' }
const model = 'claude-sonnet-4-5'
const used = (id: string, rest: object = {}): object => ({
  type: 'tool_use',
  id,
  name: 'read',
  input: { path: 'a.ts' },
  ...rest,
})
const result = (id: string, rest: object = {}): object => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'let a = 1',
  ...rest,
})
const text = (words: string, rest: object = {}): object => ({ type: 'text', text: words, ...rest })
const assistant = (...content: object[]): object => ({ role: 'assistant', content })
const users = (...content: object[]): object => ({ role: 'user', content })
const request = (...messages: unknown[]): object => ({ model, max_tokens: 100, messages })
const thought = (rest: object): object => ({ type: 'thinking', thinking: 'Look.', ...rest })
const short = { cache_control: { type: 'ephemeral' } }
const long = { cache_control: { type: 'ephemeral', ttl: '1h' } }
const pair = [assistant(used('toolu_1')), users(result('toolu_1'))]

function requestCase(rule: string, rest: Omit<RequestCase, 'rule' | 'scope'>): RequestCase {
  return { scope: 'request', rule: `anthropic/${rule}`, ...rest }
}

export const anthropicCases: readonly RequestCase[] = [
  requestCase('not-json', {
    broken: '{"model":',
    kept: request(user),
    where: '',
    message: 'The request body is not valid JSON',
  }),
  requestCase('messages-required', {
    broken: [1],
    kept: request(user),
    where: 'messages',
    message: 'messages: Field required',
  }),
  requestCase('messages-empty', {
    broken: request(),
    kept: request(user),
    where: 'messages',
    message: 'messages: at least one message is required',
  }),
  requestCase('max-tokens-required', {
    broken: { model, messages: [user], stream: true },
    kept: { model, messages: [user] },
    where: 'max_tokens',
    message: 'max_tokens: Field required',
  }),
  requestCase('unexpected-role', {
    broken: request(user, { role: 'tool', content: 'done' }),
    kept: request(user, { role: 'user', content: 'done' }),
    where: 'messages.1.role',
    message: 'messages: Unexpected role "tool". Allowed roles are "user" or "assistant".',
  }),
  requestCase('system-role-unsupported', {
    broken: request(user, { role: 'system', content: 'Be brief.' }),
    kept: { ...request(user, { role: 'system', content: 'Be brief.' }), model: 'claude-opus-4-8' },
    where: 'messages.1.role',
    message: "role 'system' is not supported on this model",
  }),
  requestCase('system-role-first', {
    model: 'claude-opus-4-8',
    broken: request({ role: 'system', content: 'Be brief.' }, user),
    kept: request(user, { role: 'system', content: 'Be brief.' }),
    where: 'messages.0',
    message: "messages.0: use the top-level 'system' parameter for the initial system prompt",
  }),
  requestCase('content-shape', {
    broken: request({ role: 'user', content: { type: 'text', text: 'hi' } }),
    kept: request(users(text('hi'))),
    where: 'messages.0.content',
    message: 'messages.0.content: Input should be a valid list',
  }),
  requestCase('empty-message', {
    broken: request(user, assistant(), user),
    kept: request(user, { role: 'assistant', content: [] }),
    where: 'messages.1',
    message:
      'messages.1: all messages must have non-empty content except for the optional final assistant message',
  }),
  requestCase('empty-text', {
    broken: request(users(text('hi'), text(''))),
    kept: request(users(text('hi'), text('—'))),
    where: 'messages.0.content.1',
    message: 'messages: text content blocks must be non-empty',
  }),
  requestCase('cache-control-on-empty-text', {
    broken: { ...request(user), system: [text('', short)] },
    kept: { ...request(user), system: [text('Be brief.', short)] },
    where: 'system.0',
    message: 'system.0.text: cache_control cannot be set for empty text blocks',
  }),
  requestCase('cache-control-count', {
    broken: {
      ...request(users(text('a', short), text('b', short))),
      system: [text('s', short), text('t', short)],
      tools: [{ name: 'read', input_schema: {}, ...short }],
    },
    kept: {
      ...request(users(text('a'), text('b', short))),
      system: [text('s', short), text('t', short)],
      tools: [{ name: 'read', input_schema: {}, ...short }],
    },
    where: 'messages.0.content.1.cache_control',
    message: 'A maximum of 4 blocks with cache_control may be provided. Found 5.',
  }),
  requestCase('cache-control-order', {
    broken: { ...request(users(text('a', long))), system: [text('s', short)] },
    kept: { ...request(users(text('a', short))), system: [text('s', long)] },
    where: 'messages.0.content.0.cache_control.ttl',
    message:
      "messages.0.content.0.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
  }),
  requestCase('tool-result-without-use', {
    broken: request(user, ...pair, assistant(text('Done.')), users(result('toolu_1'))),
    kept: request(user, ...pair, assistant(text('Done.')), user),
    where: 'messages.4.content.0',
    message:
      'messages.4.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
  }),
  requestCase('tool-use-without-result', {
    broken: request(
      user,
      assistant(used('toolu_1'), used('toolu_2'), used('toolu_3')),
      users(result('toolu_2')),
    ),
    kept: request(
      user,
      assistant(used('toolu_1'), used('toolu_2'), used('toolu_3')),
      users(result('toolu_2'), result('toolu_1')),
      users(result('toolu_3'), text('Go on.')),
    ),
    where: 'messages.1',
    message:
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1, toolu_3. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
  }),
  requestCase('tool-use-id-not-unique', {
    broken: request(user, ...pair, ...pair),
    kept: request(user, ...pair, assistant(used('toolu_2')), users(result('toolu_2'))),
    where: 'messages.3.content.0',
    message: 'messages.3.content.0: `tool_use` ids must be unique',
  }),
  requestCase('tool-result-not-single', {
    broken: request(user, assistant(used('toolu_1')), users(result('toolu_1'), result('toolu_1'))),
    kept: request(user, ...pair),
    where: 'messages.2.content.1',
    message:
      'messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: toolu_1',
  }),
  requestCase('tool-id-pattern', {
    broken: request(user, assistant({ ...used('srv.1'), type: 'server_tool_use' })),
    kept: request(user, assistant({ ...used('srvtoolu_1'), type: 'server_tool_use' })),
    where: 'messages.1.content.0.server_tool_use.id',
    message:
      "messages.1.content.0.server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'",
  }),
  requestCase('tool-input-not-object', {
    broken: request(user, assistant(used('toolu_1', { input: '{}' })), users(result('toolu_1'))),
    kept: request(user, assistant(used('toolu_1', { input: {} })), users(result('toolu_1'))),
    where: 'messages.1.content.0.tool_use.input',
    message: 'messages.1.content.0.tool_use.input: Input should be a valid dictionary',
  }),
  requestCase('field-required', {
    broken: request(users({ type: 'image' })),
    kept: request(users({ type: 'image', source: { type: 'url', url: 'https://x.test/a.png' } })),
    where: 'messages.0.content.0.image.source',
    message: 'messages.0.content.0.image.source: Field required',
  }),
  requestCase('tool-block-role', {
    broken: request(users(used('toolu_1'))),
    kept: request(user, ...pair),
    where: 'messages.0',
    message: 'messages.0: `tool_use` blocks can only be in `assistant` messages',
  }),
  requestCase('block-type', {
    broken: request(
      user,
      assistant(used('toolu_1')),
      users(result('toolu_1', { content: [{ type: 'input_text', text: 'x' }] })),
    ),
    kept: request(
      user,
      assistant(used('toolu_1')),
      users(result('toolu_1', { content: [{ type: 'tool_reference', tool_name: 'grep' }] })),
    ),
    where: 'messages.2.content.0.tool_result.content.0',
    message:
      "messages.2.content.0.tool_result.content.0: Input tag 'input_text' found using 'type' does not match any of the expected tags",
  }),
  requestCase('server-result-without-use', {
    broken: request(
      user,
      assistant(
        { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_9', content: [] },
        text('k'),
      ),
      user,
    ),
    kept: request(
      user,
      assistant(
        { type: 'server_tool_use', id: 'srvtoolu_9', name: 'web_search', input: {} },
        { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_9', content: [] },
        text('k'),
      ),
      user,
    ),
    where: 'messages.1.content.0',
    message:
      'messages.1.content.0: unexpected `tool_use_id` found in `web_search_tool_result` blocks: srvtoolu_9. Each `web_search_tool_result` block must have a corresponding `server_tool_use` block before it.',
  }),
  requestCase('caller-missing', {
    broken: request(
      user,
      assistant(
        used('toolu_1', { caller: { type: 'code_execution_20250825', tool_id: 'srvtoolu_2' } }),
      ),
      users(result('toolu_1')),
    ),
    kept: request(
      user,
      assistant(
        { type: 'server_tool_use', id: 'srvtoolu_2', name: 'code_execution', input: { code: '1' } },
        used('toolu_1', { caller: { type: 'code_execution_20250825', tool_id: 'srvtoolu_2' } }),
      ),
      users(result('toolu_1')),
    ),
    where: 'messages.1.content.0',
    message:
      'messages.1.content.0: the block was called by srvtoolu_2, which is not in the request before it',
  }),
  requestCase('thinking-signature-required', {
    broken: request(user, assistant(thought({}), text('Done.')), user),
    kept: request(
      user,
      assistant(thought({ thinking: '', signature: 'c2ln' }), text('Done.')),
      user,
    ),
    where: 'messages.1.content.0',
    message: 'messages.1.content.0.thinking.signature: Field required',
  }),
  requestCase('thinking-signature-invalid', {
    broken: request(user, assistant(thought({ signature: '' }), text('Done.')), user),
    kept: {
      ...request(user, assistant(thought({ signature: '' }), text('D.')), user),
      model: 'glm-5',
    },
    where: 'messages.1.content.0',
    message: 'messages.1.content.0: Invalid `signature` in `thinking` block',
  }),
  requestCase('thinking-first', {
    broken: { ...request(user, ...pair), thinking: { type: 'enabled', budget_tokens: 2000 } },
    kept: {
      ...request(
        user,
        assistant(thought({ signature: 'c2ln' }), used('toolu_1')),
        users(result('toolu_1')),
        assistant(used('toolu_2')),
        users(result('toolu_2')),
      ),
      thinking: { type: 'enabled', budget_tokens: 2000 },
    },
    where: 'messages.1.content.0',
    message:
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking',
  }),
  requestCase('thinking-enabled-unsupported', {
    model: 'claude-opus-4-8',
    broken: { ...request(user), thinking: { type: 'enabled', budget_tokens: 2000 } },
    kept: { ...request(user), thinking: { type: 'adaptive' } },
    where: 'thinking.type',
    message:
      '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
  }),
  requestCase('thinking-disabled-unsupported', {
    broken: { ...request(user), model: 'claude-opus-5-5', thinking: { type: 'disabled' } },
    kept: { ...request(user), thinking: { type: 'disabled' } },
    where: 'thinking.type',
    message: '"thinking.type.disabled" is not supported for this model.',
  }),
  requestCase('prefill-unsupported', {
    broken: { ...request(user, assistant(text('Sure: '))), model: 'claude-opus-4-6' },
    kept: request(user, assistant(text('Sure:'))),
    where: 'messages.1',
    message:
      'This model does not support assistant message prefill. The conversation must end with a user message.',
  }),
  requestCase('trailing-whitespace', {
    broken: request(user, { role: 'assistant', content: 'Sure: ' }),
    kept: request(user, { role: 'assistant', content: 'Sure: ' }, user),
    where: 'messages.1.content.0',
    message: 'messages: final assistant content cannot end with trailing whitespace',
  }),
  requestCase('tool-names-unique', {
    broken: { ...request(user), tools: [{ name: 'read' }, { name: 'read' }] },
    kept: { ...request(user), tools: [{ name: 'read' }, { name: 'write' }] },
    where: 'tools.1.name',
    message: 'tools: Tool names must be unique.',
  }),
]
