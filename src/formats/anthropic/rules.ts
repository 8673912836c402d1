import { changeRules, type Rule, requestRules, userTextChangedRule } from '../rule.ts'

const request = requestRules('anthropic')

const change = changeRules('anthropic')

export const notJson: Rule = request(
  'not-json',
  'The request body is not valid JSON',
  'Messages API, errors',
)

export const messagesRequired: Rule = request(
  'messages-required',
  'messages: Field required',
  'Messages API reference',
)

export const messagesEmpty: Rule = request(
  'messages-empty',
  'messages: at least one message is required',
  'Messages API reference',
)

export const maxTokensRequired: Rule = request(
  'max-tokens-required',
  'max_tokens: Field required',
  'Messages API reference; counting tokens needs none, so only streaming requests are checked',
)

export const unexpectedRole: Rule = request(
  'unexpected-role',
  'messages: Unexpected role "{role}". Allowed roles are "user" or "assistant".',
  'ianarawjo/ChainForge#271',
)

export const systemRoleUnsupported: Rule = request(
  'system-role-unsupported',
  "role 'system' is not supported on this model",
  'anthropics/claude-code#61412',
  { families: 'rejectsSystemEntries' },
)

export const systemRoleFirst: Rule = request(
  'system-role-first',
  "messages.0: use the top-level 'system' parameter for the initial system prompt",
  'Claude Code 2.1.154 bug reports; docs, mid-conversation system messages',
)

export const contentShape: Rule = request(
  'content-shape',
  'messages.{message}.content: {problem}',
  'Messages API reference',
)

export const emptyMessage: Rule = request(
  'empty-message',
  'messages.{message}: all messages must have non-empty content except for the optional final assistant message',
  'anthropics/claude-code#6774',
)

export const emptyText: Rule = request(
  'empty-text',
  '{place}: text content blocks must be non-empty',
  'experiential#799; anthropics/claude-code',
)

export const cacheControlOnEmptyText: Rule = request(
  'cache-control-on-empty-text',
  '{where}.text: cache_control cannot be set for empty text blocks',
  'askalf/dario#1066',
)

export const cacheControlCount: Rule = request(
  'cache-control-count',
  'A maximum of 4 blocks with cache_control may be provided. Found {count}.',
  'sub2api#176; opencode-claude-auth#121',
)

export const cacheControlOrder: Rule = request(
  'cache-control-order',
  "{where}: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
  'cnighswonger/claude-code-cache-fix#44',
)

export const toolResultWithoutUse: Rule = request(
  'tool-result-without-use',
  '{where}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
  'anthropics/claude-code#18947; openclaw#8525',
)

export const toolUseWithoutResult: Rule = request(
  'tool-use-without-result',
  '{where}: `tool_use` ids were found without `tool_result` blocks immediately after: {ids}. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
  'anthropics/claude-code#7929; HKUDS/OpenHarness#191',
)

export const toolUseIdNotUnique: Rule = request(
  'tool-use-id-not-unique',
  '{where}: `tool_use` ids must be unique',
  'anthropics/claude-code#20901',
)

export const toolResultNotSingle: Rule = request(
  'tool-result-not-single',
  '{where}: each tool_use must have a single result. Found multiple `tool_result` blocks with id: {id}',
  'BerriAI/litellm, regression tests of its Anthropic adapter',
)

export const toolIdPattern: Rule = request(
  'tool-id-pattern',
  "{where}: String should match pattern '{pattern}'",
  'anomalyco/opencode#1279; ding113/claude-code-hub#470 for server tools',
)

export const toolInputNotObject: Rule = request(
  'tool-input-not-object',
  '{where}: Input should be a valid dictionary',
  'VoltAgent/voltagent changelog',
)

export const fieldRequired: Rule = request(
  'field-required',
  '{where}: Field required',
  'Messages API reference; LibreChat-AI/agents#279',
)

export const toolBlockRole: Rule = request(
  'tool-block-role',
  '{where}: `{type}` blocks can only be in `{role}` messages',
  'live refusals quoted in public adapters',
)

export const blockType: Rule = request(
  'block-type',
  "{where}: Input tag '{type}' found using 'type' does not match any of the expected tags",
  'Messages API reference; the provider adds a list that changes, so it is left out here',
)

export const serverResultWithoutUse: Rule = request(
  'server-result-without-use',
  '{where}: unexpected `tool_use_id` found in `{type}` blocks: {id}. Each `{type}` block must have a corresponding `server_tool_use` block before it.',
  'anthropics/claude-code#64383',
)

export const callerMissing: Rule = request(
  'caller-missing',
  '{where}: the block was called by {id}, which is not in the request before it',
  'vercel/ai getToolCallDependencyId; docs, programmatic tool calling',
  { quoted: false },
)

export const thinkingSignatureRequired: Rule = request(
  'thinking-signature-required',
  '{where}.thinking.signature: Field required',
  'lbjlaq/Antigravity-Manager#1650',
  { families: 'signsThinking' },
)

export const thinkingSignatureInvalid: Rule = request(
  'thinking-signature-invalid',
  '{where}: Invalid `signature` in `thinking` block',
  'openclaw#98398; an empty signature is the one that can be seen on a request alone',
  { families: 'signsThinking' },
)

export const thinkingFirst: Rule = request(
  'thinking-first',
  '{where}.type: Expected `thinking` or `redacted_thinking`, but found `{type}`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking',
  'anomalyco/opencode#3077; Kilo-Org/kilocode#5219',
  { families: 'startsWithThinking' },
)

export const thinkingEnabledUnsupported: Rule = request(
  'thinking-enabled-unsupported',
  '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
  'OpenHands/software-agent-sdk#3500',
  { families: 'rejectsEnabledThinking' },
)

export const thinkingDisabledUnsupported: Rule = request(
  'thinking-disabled-unsupported',
  '"thinking.type.disabled" is not supported for this model.',
  'Yeachan-Heo/gajae-code#1542',
  { families: 'rejectsDisabledThinking' },
)

export const prefillUnsupported: Rule = request(
  'prefill-unsupported',
  'This model does not support assistant message prefill. The conversation must end with a user message.',
  'anomalyco/opencode#22404; docs, what is new in Claude 4.6',
  { families: 'rejectsPrefill' },
)

export const trailingWhitespace: Rule = request(
  'trailing-whitespace',
  'messages: final assistant content cannot end with trailing whitespace',
  'tailcallhq/forgecode#1872; anomalyco/opencode#1295',
)

export const toolNamesUnique: Rule = request(
  'tool-names-unique',
  'tools: Tool names must be unique.',
  'Messages API, errors',
)

export const latestThinkingModified: Rule = change(
  'latest-thinking-modified',
  '{where}: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
  'openclaw#44436; goose#10331; anthropics/claude-code#12311',
  { quoted: true },
)

export const signedBlockAltered: Rule = change(
  'signed-block-altered',
  '{where}: Invalid `signature` in `thinking` block',
  'openclaw#98398',
  { quoted: true },
)

export const thinkingSequence: Rule = change(
  'thinking-sequence',
  '{where}: thinking of the current tool loop stays, and that of an earlier message stays or goes as a whole',
  'docs, extended thinking: the entire sequence of consecutive thinking blocks must match',
)

export const prefixChanged: Rule = change(
  'prefix-changed',
  '{where}: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
  'docs, preserved thinking, prefix checks; cache_control markers do not count',
  { families: 'bindsReasoning', quoted: true },
)

export const opaqueBlockChanged: Rule = change(
  'opaque-block-changed',
  '{where}: `{type}` blocks belong to the provider and cannot be changed or left out',
  'headroom#2438',
)

export const messagesMoved: Rule = change(
  'messages-moved',
  '{where}: messages and their blocks must stay, with their roles and in their order',
  'a promise of ours: order is never touched',
)

export const idsChanged: Rule = change(
  'ids-changed',
  '{where}: the id and the name of a tool call and the id of its result must stay',
  'a promise of ours: ids are never touched',
)

export const userTextChanged: Rule = userTextChangedRule('anthropic')

export const cacheControlChanged: Rule = change(
  'cache-control-changed',
  'cache_control: {before} blocks carried it, now {after} do',
  'headroom REALIGNMENT: a dropped marker collapses the hit rate',
)
