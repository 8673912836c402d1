import type { Agent } from './agent.ts'
import { claudeCode } from './claude-code.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { continueCli } from './continue.ts'
import { copilotCli } from './copilot-cli.ts'
import { geminiCli } from './gemini-cli.ts'
import { goose } from './goose.ts'
import { openCode } from './opencode.ts'
import { pi } from './pi.ts'
import { qwenCode } from './qwen-code.ts'

/** The agents that can be set up, the most used first. */
export const agents: readonly Agent[] = [
  claudeCode,
  codex,
  openCode,
  pi,
  geminiCli,
  copilotCli,
  qwenCode,
  cline,
  continueCli,
  goose,
]

/** The agent that a command starts, by the name of its program. */
export function agentOf(command: string): Agent | undefined {
  const program = command.replace(/^.*[/\\]/, '').replace(/\.(?:exe|cmd|bat|ps1)$/i, '')
  return agents.find(({ id }) => id === program)
}
