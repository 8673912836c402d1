/** How agents begin the summary of a compacted history. */
const openings: readonly RegExp[] = [
  // Claude Code
  /^This session is being continued from a previous conversation\b/,
  // Codex
  /^Another language model started to solve this problem\b/,
  // Pi
  /^The conversation history before this point was compacted into the following summary\b/,
  /^The following is a summary of a branch that this conversation came back from\b/,
  // Gemini CLI, Qwen Code
  /^<(?:state_snapshot|compressed_chat_history|conversation_summary|summary)>/,
  // Cline, Roo Code and others
  /^(?:#+ |\*\*)?(?:Conversation|Session|Context) summary\b/i,
]

/** True for a user message that an agent wrote when it compacted the history. Its quotes exist nowhere else. */
export function isSummary(text: string): boolean {
  const start = text.slice(0, 200).trimStart()
  return openings.some((opening) => opening.test(start))
}
