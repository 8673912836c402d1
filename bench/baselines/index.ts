import type { Policy } from '../score/policy.ts'
import { aiSdkPrune } from './ai-sdk-prune.ts'
import { claudeCodeIdle } from './claude-code-idle.ts'
import { clearThinking } from './clear-thinking.ts'
import { clearToolUses, clearToolUsesAtLeast20k } from './clear-tool-uses.ts'
import { coldRepack } from './cold-repack.ts'
import { dcpAutomatic } from './dcp-automatic.ts'
import { geminiMasking } from './gemini-masking.ts'
import { admissionCap, tailCap1, tailCap8 } from './head-tail-cap.ts'
import { keepLast10, keepLast10Polled } from './keep-last-observations.ts'
import { keepRecent30 } from './keep-recent-results.ts'
import { langChainClear } from './langchain-clear.ts'
import { none } from './none.ts'
import { openCodePrune } from './opencode-prune.ts'
import { randomMatched } from './random-results.ts'

export { presetBaselines } from './preset-baselines.ts'

/** The policies that map an unpruned trace to views, in the order of the tables. */
export const baselines: readonly Policy[] = [
  none,
  keepLast10,
  keepLast10Polled,
  keepRecent30,
  clearToolUses,
  clearToolUsesAtLeast20k,
  clearThinking,
  claudeCodeIdle,
  langChainClear,
  openCodePrune,
  dcpAutomatic,
  geminiMasking,
  aiSdkPrune,
  admissionCap,
  tailCap1,
  tailCap8,
  coldRepack,
  randomMatched,
]
