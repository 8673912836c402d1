import { newestVersion } from '../../../scripts/agents.mjs'
import { claudeCode } from '../claude-code.ts'
import type { Client } from '../client.ts'
import { codex } from '../codex.ts'
import { copilotCli } from '../copilot-cli.ts'
import { geminiCli } from '../gemini-cli.ts'
import { isShortRun } from '../installed-client.ts'
import { openCode } from '../opencode.ts'
import { pi } from '../pi.ts'

const earlierModels = [
  'claude-sonnet-4-5',
  'claude-sonnet-4-6',
  'claude-opus-4-5',
  'claude-haiku-4-5',
] as const

const models = [
  ...earlierModels,
  'claude-opus-4-8',
  'claude-sonnet-5-5',
  'claude-haiku-5-5',
  'claude-fable-5-2',
] as const

/** Claude Code treats the others like one of these or like its default model, with the same tools and the same reminders. */
const modelsInShortRuns: readonly string[] = [
  'claude-sonnet-4-5',
  'claude-sonnet-4-6',
  'claude-opus-4-8',
]

/** Models change how Claude Code thinks, which tools it offers and which reminders it adds to results. */
function claudeCodeRuns(version: string, named: readonly string[]): readonly Client[] {
  const tested = named.filter((model) => !isShortRun || modelsInShortRuns.includes(model))
  return [claudeCode(version), ...tested.map((model) => claudeCode(version, model))]
}

/**
 * Codex gives a model that it does not know no tool for patches. Newer models write programs that call the tools (code
 * mode), with the tools as items of the conversation.
 */
function codexRuns(version: string): readonly Client[] {
  const named = ['scripted-model', 'gpt-5.6-luna', 'gpt-6-sol']
  if (!isShortRun) named.push('gpt-5.6-sol')
  return [codex(version), ...named.map((model) => codex(version, model))]
}

/** In OpenCode, GPT-5 models change files by patches, all others by edits. */
function openCodeRuns(version: string): readonly Client[] {
  return [
    openCode(version, 'anthropic'),
    openCode(version, 'openai-chat'),
    openCode(version, 'openai-responses'),
    openCode(version, 'openai-responses', { snapshots: false, model: 'gpt-4.1' }),
  ]
}

const openWires = ['anthropic', 'openai-chat', 'openai-responses'] as const

/**
 * Every client whose recordings are read, with every model that changes what it sends. CI runs those of the newest
 * version of each.
 */
export const differentialClients: readonly Client[] = [
  ...claudeCodeRuns(newestVersion('claude-code'), models),
  ...claudeCodeRuns('2.1.325', models),
  ...claudeCodeRuns('2.1.197', earlierModels),
  ...codexRuns(newestVersion('codex')),
  ...codexRuns('0.166.0'),
  ...openCodeRuns(newestVersion('opencode')),
  ...openCodeRuns('1.18.33'),
  ...openWires.map((wire) => pi(newestVersion('pi'), wire)),
  ...openWires.map((wire) => pi('0.73.1', wire)),
  geminiCli(newestVersion('gemini-cli')),
  ...openWires.map((wire) => copilotCli(newestVersion('copilot-cli'), wire)),
]
