import type { Rule } from '../rule.ts'

const base = { format: 'anthropic', scope: 'change', families: 'all' } as const

export const latestThinkingModified: Rule = {
  ...base,
  id: 'anthropic/latest-thinking-modified',
  words:
    '{where}: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
  quoted: true,
  source: 'openclaw#44436; goose#10331; anthropics/claude-code#12311',
}

export const signedBlockAltered: Rule = {
  ...base,
  id: 'anthropic/signed-block-altered',
  words: '{where}: Invalid `signature` in `thinking` block',
  quoted: true,
  source: 'openclaw#98398',
}

export const thinkingSequence: Rule = {
  ...base,
  id: 'anthropic/thinking-sequence',
  words:
    '{where}: thinking of the current tool loop stays, and that of an earlier message stays or goes as a whole',
  quoted: false,
  source: 'docs, extended thinking: the entire sequence of consecutive thinking blocks must match',
}

export const prefixChanged: Rule = {
  ...base,
  id: 'anthropic/prefix-changed',
  families: 'bindsReasoning',
  words:
    '{where}: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
  quoted: true,
  source: 'docs, preserved thinking, prefix checks; cache_control markers do not count',
}

export const opaqueBlockChanged: Rule = {
  ...base,
  id: 'anthropic/opaque-block-changed',
  words: '{where}: `{type}` blocks belong to the provider and cannot be changed or left out',
  quoted: false,
  source: 'headroom#2438',
}

export const messagesMoved: Rule = {
  ...base,
  id: 'anthropic/messages-moved',
  words: '{where}: messages and their blocks must stay, with their roles and in their order',
  quoted: false,
  source: 'a promise of ours: order is never touched',
}

export const idsChanged: Rule = {
  ...base,
  id: 'anthropic/ids-changed',
  words: '{where}: the id and the name of a tool call and the id of its result must stay',
  quoted: false,
  source: 'a promise of ours: ids are never touched',
}

export const userTextChanged: Rule = {
  ...base,
  id: 'anthropic/user-text-changed',
  words: '{where}: text of the user must stay as it was',
  quoted: false,
  source: 'a promise of ours: user prose is never touched',
}

export const cacheControlChanged: Rule = {
  ...base,
  id: 'anthropic/cache-control-changed',
  words: 'cache_control: {before} blocks carried it, now {after} do',
  quoted: false,
  source: 'headroom REALIGNMENT: a dropped marker collapses the hit rate',
}

export const anthropicChangeRules: readonly Rule[] = [
  latestThinkingModified,
  signedBlockAltered,
  thinkingSequence,
  prefixChanged,
  opaqueBlockChanged,
  messagesMoved,
  idsChanged,
  userTextChanged,
  cacheControlChanged,
]
