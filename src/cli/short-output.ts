/** A digest of fewer characters would not be worth the start of a process. */
const leastChars = 1_000

/** Whether a hook's JSON has an output that is never shortened. Looks at nothing that has to be loaded first. */
export function isShortOutput(piped: string): boolean {
  if (piped.length <= leastChars) return true
  try {
    const event = JSON.parse(piped) as { tool_response?: { stdout?: unknown } } | null
    const { stdout } = event?.tool_response ?? {}
    return typeof stdout !== 'string' || stdout.length <= leastChars
  } catch {
    return true
  }
}
