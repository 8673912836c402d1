const names: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  opencode: 'OpenCode',
  'opencode-export': 'OpenCode',
  'opencode-storage': 'OpenCode',
  'gemini-cli': 'Gemini CLI',
  'copilot-cli': 'Copilot CLI',
  'qwen-code': 'Qwen Code',
  cline: 'Cline',
  continue: 'Continue',
  pi: 'Pi',
  'swe-agent': 'SWE-agent',
  'mini-swe-agent': 'mini-SWE-agent',
}

/**
 * An agent's display name: its own spelling when we know the agent, else the name that it sent, else the source of the
 * session.
 */
export function agentName(agent: string | null, origin: string): string {
  const named = agent ?? origin.replace(/^recording /, '')
  return Object.hasOwn(names, named) ? (names[named] as string) : named
}
