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

/** An agent's name for people: as it spells itself where we know it, else as it named itself, else where it came from. */
export function agentName(agent: string | null, origin: string): string {
  const named = agent ?? origin.replace(/^recording /, '')
  return Object.hasOwn(names, named) ? (names[named] as string) : named
}
