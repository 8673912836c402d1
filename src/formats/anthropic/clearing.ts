import type { ResultClearing } from '../wire.ts'

/** Context editing: https://platform.claude.com/docs/en/build-with-claude/context-editing */
export const clearing: ResultClearing = {
  member: 'context_management',
  header: ['anthropic-beta', 'context-management-2025-06-27'],
  defaultTriggerTokens: 100_000,
  defaultKeptResults: 3,
  instruction: ({ triggerTokens, keptResults, leastTokens, excludedTools }) => ({
    edits: [
      {
        type: 'clear_tool_uses_20250919',
        trigger: { type: 'input_tokens', value: triggerTokens },
        keep: { type: 'tool_uses', value: keptResults },
        clear_at_least: { type: 'input_tokens', value: leastTokens },
        ...(excludedTools.length === 0 ? {} : { exclude_tools: excludedTools }),
      },
    ],
  }),
}
