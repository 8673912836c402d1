import type { ResultStatus } from '../core/words/item.ts'

/**
 * Whether a call succeeded, by what its result says. The APIs of OpenAI have no field for it, so agents put the error in the
 * place of the result. A file may hold any text: only what fills the whole result of a tool counts.
 */
export function statusByText(tool: string, text: string): Exclude<ResultStatus, 'running'> {
  if (refusal.test(text)) return 'error'
  const name = tool.split('__').at(-1)?.toLowerCase() ?? ''
  if (/(?:^|_)(?:bash|shell)$/.test(name))
    return failedCommand.test(text.slice(-200)) ? 'error' : 'ok'
  if (name === 'exec' || name === 'wait') return failedScript.test(text) ? 'error' : 'ok'
  if (text.length > longestError) return 'ok'
  if (name === 'apply_patch' && /^Exit code: [1-9]/.test(text)) return 'error'
  if (name === 'view' || name === 'create') return copilotFailure.test(text) ? 'error' : 'ok'
  if (/read/.test(name)) return failedRead.test(text) ? 'error' : 'ok'
  if (/edit|write|patch|replace|insert/.test(name))
    return failedChange.test(text) || copilotFailure.test(text) ? 'error' : 'ok'
  return 'ok'
}

/** Copilot CLI marks no failure on any wire, although Anthropic's API has a field for it. */
export function isUnmarkedFailure(tool: string, text: string): boolean {
  return /^(?:view|create|edit)$/.test(tool) && copilotFailure.test(text)
}

const longestError = 4_000

/** What an agent says instead of doing what it was called for. */
const refusal =
  /^(?:apply_patch verification failed|exec_command failed for|failed to parse function arguments|unsupported (?:custom tool )?call|Validation failed for tool|The \S+ tool was called with invalid arguments|<tool_use_error>)/

/** The first line of a program's output in Codex's code mode. */
const failedScript = /^Script failed\nWall time /

/** Pi's last line. */
const failedCommand =
  /(?:^|\n\n)Command (?:exited with code -?[1-9]\d*|timed out after [^\n]*|aborted)$/

const failedRead =
  /^(?:File not found: [^\n]*(?:\n\nDid you mean[\s\S]*)?|Offset \d+ is (?:out of range for this file|beyond end of file) \(\d+ lines(?: total)?\)|E(?:NOENT|ACCES|ISDIR|PERM|NOTDIR|LOOP): [^\n]*|Cannot read binary file: [^\n]*|File does not exist\.[^\n]*)$/

const failedChange =
  /^(?:Error\b|Could not find |Cannot |Failed to |File not found\b|File .* not found|Found (?:multiple|\d+) |No changes |E(?:NOENT|ACCES|ISDIR|PERM|NOTDIR|LOOP): |oldString |String to replace not found|File has (?:not been read|been modified))/

const copilotFailure =
  /^(?:Path [^\n]* does not exist\. Please provide a valid path\.|Path [^\n]* already exists as a (?:file|directory)\.[^\n]*|Invalid view_range: [^\n]*|No match found: [^\n]*|Multiple matches found[^\n]*)$/
