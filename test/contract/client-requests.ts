import type { BodyFormatName } from '../../src/formats/format.ts'

/** A request shaped as a client sends it, in the middle of a session. */
export interface ClientRequest {
  readonly client: string
  readonly format: BodyFormatName
  readonly model?: string
  readonly body: unknown
}

const ephemeral = { cache_control: { type: 'ephemeral' } }
const text = (words: string, rest: object = {}): object => ({ type: 'text', text: words, ...rest })
const thinking = (words: string): object => ({
  type: 'thinking',
  thinking: words,
  signature: 'EqQBCkYIBRgCKkBzaWduZWQ=',
})
const toolUse = (id: string, name: string, input: object): object => ({
  type: 'tool_use',
  id,
  name,
  input,
})
const toolResult = (tool_use_id: string, content: unknown, rest: object = {}): object => ({
  tool_use_id,
  type: 'tool_result',
  content,
  ...rest,
})
const user = (...content: object[]): object => ({ role: 'user', content })
const assistant = (...content: object[]): object => ({ role: 'assistant', content })
const tools = [
  { name: 'Read', description: 'Reads a file', input_schema: { type: 'object', properties: {} } },
  { name: 'Bash', description: 'Runs a command', input_schema: { type: 'object', properties: {} } },
]

const claudeCode = {
  max_tokens: 32000,
  stream: true,
  system: [
    text('x-anthropic-billing-header: cc_version=2.1.325'),
    text('You are a coding agent.', ephemeral),
    text('Here is how you work.', ephemeral),
  ],
  metadata: { user_id: '{"session_id":"00000000-0000-4000-8000-000000000000"}' },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  tools: [...tools, { name: 'ToolSearch', type: 'custom', input_schema: { type: 'object' } }],
}

/** `u s a u a u s a u`, thinking omitted from view, results as text and as blocks. */
const withSystemEntries = [
  user(
    text('<system-reminder>\nThe date is known.\n</system-reminder>'),
    text('Rename the function.'),
  ),
  { role: 'system', content: 'Available agent types: explore.' },
  assistant(
    thinking(''),
    text('I will look.'),
    toolUse('toolu_01A', 'Read', { file_path: '/p/a.ts' }),
    toolUse('toolu_01B', 'Bash', { command: 'ls' }),
  ),
  user(
    toolResult('toolu_01A', '1\texport function one() {}\n'),
    toolResult('toolu_01B', 'command not found', { is_error: true }),
  ),
  assistant(thinking(''), toolUse('toolu_01C', 'mcp__docs__find', { query: 'one' })),
  user(toolResult('toolu_01C', [text('found'), text('and more')], ephemeral)),
  { role: 'system', content: 'The task list is empty.' },
]

const openCodeTools = {
  type: 'function',
  function: { name: 'read', parameters: { type: 'object' } },
}
const responsesCommon = {
  model: 'gpt-5.5',
  store: false,
  stream: true,
  prompt_cache_key: 'ses_1',
  include: ['reasoning.encrypted_content'],
  reasoning: { effort: 'medium', summary: 'auto' },
}
const inputText = (words: string): object => ({ type: 'input_text', text: words })
const outputText = (words: string): object => ({ type: 'output_text', text: words })
const sealed = { type: 'reasoning', summary: [], encrypted_content: 'gAAAAABsealed' }

export const clientRequests: readonly ClientRequest[] = [
  {
    client: 'Claude Code with its default model',
    format: 'anthropic',
    body: {
      ...claudeCode,
      model: 'claude-opus-5-5',
      thinking: { type: 'adaptive', display: 'omitted' },
      output_config: { effort: 'high' },
      messages: withSystemEntries,
    },
  },
  {
    client: 'Claude Code with an older default model',
    format: 'anthropic',
    body: {
      ...claudeCode,
      model: 'claude-opus-4-8',
      thinking: { type: 'adaptive' },
      messages: withSystemEntries,
    },
  },
  {
    client: 'Claude Code with a model that thinks on a budget',
    format: 'anthropic',
    body: {
      ...claudeCode,
      model: 'claude-sonnet-4-5',
      thinking: { type: 'enabled', budget_tokens: 31999 },
      messages: [
        user(text('<system-reminder>Rules.</system-reminder>'), text('Rename the function.')),
        assistant(thinking('Look first.'), toolUse('toolu_01A', 'Read', { file_path: '/p/a.ts' })),
        user(
          toolResult(
            'toolu_01A',
            '1\tone\n<system-reminder><total_tokens>900 tokens left</total_tokens></system-reminder>',
          ),
        ),
        assistant(toolUse('toolu_01B', 'Edit', { file_path: '/p/a.ts', old_string: 'one' })),
        user(toolResult('toolu_01B', ''), text('[Request interrupted by user]')),
        user(text('Go on.', ephemeral)),
      ],
    },
  },
  {
    client: 'Claude Code counting tokens',
    format: 'anthropic',
    body: { model: 'claude-opus-5-5', messages: [{ role: 'user', content: 'foo' }], tools },
  },
  {
    client: 'Claude Code asking for a title',
    format: 'anthropic',
    body: {
      model: 'claude-haiku-4-5',
      max_tokens: 512,
      stream: true,
      system: [text('Write a title.')],
      thinking: { type: 'disabled' },
      messages: [{ role: 'user', content: 'Rename the function.' }],
      output_config: { format: { type: 'json_schema', schema: {} } },
    },
  },
  {
    client: 'OpenCode over Messages',
    format: 'anthropic',
    body: {
      model: 'claude-sonnet-4-5',
      max_tokens: 32000,
      thinking: { type: 'enabled', budget_tokens: 2000 },
      system: [text('You are opencode.', ephemeral)],
      messages: [
        user(text('Rename the function.')),
        assistant(
          thinking('Look first.'),
          text('Reading.'),
          toolUse('toolu_1', 'read', { filePath: '/p/a.ts' }),
        ),
        user(toolResult('toolu_1', '<path>/p/a.ts</path>', ephemeral)),
        assistant(thinking('Now edit.'), toolUse('toolu_2', 'edit', { filePath: '/p/a.ts' })),
        user(toolResult('toolu_2', 'no such text', { is_error: true, ...ephemeral })),
      ],
      tools: [{ name: 'read', eager_input_streaming: true, input_schema: { type: 'object' } }],
      tool_choice: { type: 'auto' },
      stream: true,
    },
  },
  {
    client: 'OpenCode over Chat Completions',
    format: 'openai-chat',
    body: {
      model: 'deepseek-v4-flash',
      max_tokens: 32000,
      messages: [
        { role: 'system', content: 'You are opencode.' },
        { role: 'user', content: 'Rename the function.' },
        {
          role: 'assistant',
          content: '',
          reasoning_content: 'Look first.',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } },
            { id: 'call_2', type: 'function', function: { name: 'bash', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '1: one' },
        { role: 'tool', tool_call_id: 'call_2', content: '' },
        { role: 'assistant', content: 'Done.', reasoning_content: 'All good.' },
        { role: 'user', content: [{ type: 'text', text: 'And this?' }] },
      ],
      tools: [openCodeTools],
      stream: true,
      stream_options: { include_usage: true },
    },
  },
  {
    client: 'OpenCode over Responses',
    format: 'openai-responses',
    body: {
      ...responsesCommon,
      input: [
        { role: 'developer', content: 'You are opencode.' },
        { role: 'user', content: [inputText('Rename the function.')] },
        sealed,
        { role: 'assistant', content: [outputText('Reading.')], id: 'msg_1' },
        { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{}', id: 'fc_1' },
        { type: 'function_call_output', call_id: 'call_1', output: '1: one' },
      ],
    },
  },
  {
    client: 'Codex',
    format: 'openai-responses',
    body: {
      ...responsesCommon,
      client_metadata: { turn: '1' },
      text: { verbosity: 'low' },
      input: [
        { type: 'message', role: 'developer', content: [inputText('You are Codex.')] },
        { type: 'message', role: 'user', content: [inputText('<environment_context/>')] },
        { type: 'message', role: 'user', content: [inputText('Rename the function.')] },
        sealed,
        {
          type: 'function_call',
          name: 'exec_command',
          arguments: '{"cmd":"cat a.ts"}',
          call_id: 'call_1',
        },
        { type: 'function_call_output', call_id: 'call_1', output: 'Chunk ID: 1\nOutput:\none' },
        {
          type: 'custom_tool_call',
          status: 'completed',
          call_id: 'call_2',
          name: 'apply_patch',
          input: '*** Begin Patch\n*** End Patch',
        },
        { type: 'custom_tool_call_output', call_id: 'call_2', output: 'Success.' },
        {
          type: 'function_call',
          name: 'find',
          namespace: 'mcp__docs',
          arguments: '{}',
          call_id: 'call_3',
        },
        { type: 'function_call_output', call_id: 'call_3', output: [inputText('found')] },
        { type: 'tool_search_call', call_id: 'call_4', execution: 'client', arguments: {} },
        { type: 'tool_search_output', call_id: 'call_4', execution: 'client', tools: [] },
        { type: 'message', role: 'assistant', content: [outputText('Done.')] },
        { type: 'compaction', encrypted_content: 'gAAAAABsummary' },
        sealed,
        { type: 'message', role: 'user', content: [inputText('I stopped you. Go on.')] },
      ],
    },
  },
  {
    client: 'Pi over Messages',
    format: 'anthropic',
    body: {
      model: 'claude-sonnet-4-5',
      max_tokens: 16000,
      stream: true,
      thinking: { type: 'enabled', budget_tokens: 8192 },
      system: [text('You are Pi.', ephemeral)],
      tools: [{ name: 'read', input_schema: { type: 'object' }, ...ephemeral }],
      messages: [
        { role: 'user', content: 'Rename the function.' },
        assistant(thinking('Look first.'), toolUse('toolu_1', 'read', { path: 'a.ts' })),
        user(toolResult('toolu_1', 'one', { is_error: false, ...ephemeral })),
      ],
    },
  },
  {
    client: 'Pi over Responses',
    format: 'openai-responses',
    body: {
      ...responsesCommon,
      input: [
        { role: 'developer', content: 'You are Pi.' },
        { role: 'user', content: [inputText('Rename the function.')] },
        { ...sealed, id: 'rs_1' },
        {
          type: 'function_call',
          id: 'fc_1',
          call_id: 'call_1',
          name: 'read',
          arguments: '{}',
        },
        { type: 'function_call_output', call_id: 'call_1', output: 'one' },
      ],
    },
  },
  {
    client: 'an AI SDK program that stores its responses',
    format: 'openai-responses',
    body: {
      model: 'gpt-5.5',
      input: [
        { role: 'user', content: [inputText('Rename the function.')] },
        { type: 'item_reference', id: 'rs_1' },
        { type: 'item_reference', id: 'fc_1' },
        { type: 'function_call_output', call_id: 'call_1', output: 'one' },
      ],
    },
  },
  {
    client: 'Gemini CLI',
    format: 'gemini',
    model: 'gemini-3-pro-preview',
    body: {
      systemInstruction: { role: 'user', parts: [{ text: 'You are Gemini CLI.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'This is the setup.' }] },
        { role: 'model', parts: [{ text: 'Got it.' }] },
        { role: 'user', parts: [{ text: 'Rename the function.' }] },
        {
          role: 'model',
          parts: [
            { text: 'Look first.', thought: true },
            {
              functionCall: { id: 'read-1', name: 'read_file', args: { file_path: 'a.ts' } },
              thoughtSignature: 'c2lnbmVk',
            },
            { functionCall: { id: 'ls-1', name: 'list_directory', args: {} } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'read-1', name: 'read_file', response: { output: 'one' } } },
            { functionResponse: { id: 'ls-1', name: 'list_directory', response: { output: '' } } },
          ],
        },
      ],
    },
  },
]
