import { isJsonObject, parseJson } from '../../core/words/json.ts'

/** One of the things that a call of Cline did. */
export interface Outcome {
  readonly text: string
  readonly succeeded: boolean
}

/** Cline's own tools, which answer with JSON, also when they fail. */
const tools = new Set([
  'read_files',
  'run_commands',
  'search_codebase',
  'editor',
  'apply_patch',
  'fetch_web_content',
])

/** The outcomes in a result of Cline; null for any other text. */
export function outcomesOf(tool: string, text: string): readonly Outcome[] | null {
  if (!tools.has(tool) || !/^[[{]/.test(text)) return null
  const value = parseJson(text)
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value]
  const outcomes = entries.flatMap((entry): readonly Outcome[] => {
    if (!isJsonObject(entry)) return []
    const { query, result, success, error } = entry
    if (typeof query !== 'string' || typeof result !== 'string' || typeof success !== 'boolean')
      return []
    const text = result === '' && typeof error === 'string' ? error : result
    return [{ text, succeeded: success }]
  })
  return outcomes.length > 0 && outcomes.length === entries.length ? outcomes : null
}

/** The exit code that Cline states where a command failed. */
export function statedExitCode(text: string): number | null {
  const stated = /^\[Command exited with code (\d+)\]/.exec(text)?.[1]
  return stated === undefined ? null : Number(stated)
}
