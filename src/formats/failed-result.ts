import type { ResultStatus } from '../core/words/item.ts'

/**
 * Whether a call succeeded, by the text of its result. OpenAI's APIs have no status field, so agents write the error as
 * the result. Only an error that fills the whole result counts, because a file may contain any text.
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

/** Copilot CLI never marks failures, although Anthropic's API has a field for it. */
export function isUnmarkedFailure(tool: string, text: string): boolean {
  return /^(?:view|create|edit)$/.test(tool) && copilotFailure.test(text)
}

const longestError = 4_000

/** Messages of agents that did not run the call. */
const refusal =
  /^(?:apply_patch verification failed|exec_command failed for|failed to parse function arguments|unsupported (?:custom tool )?call|Validation failed for tool|The \S+ tool was called with invalid arguments|<tool_use_error>)/

/** How the output of a failed program starts in Codex's code mode. */
const failedScript = /^Script failed\nWall time /

/** The last line of a failed command in Pi. */
const failedCommand =
  /(?:^|\n\n)Command (?:exited with code -?[1-9]\d*|timed out after [^\n]*|aborted)$/

const failedRead =
  /^(?:File not found: [^\n]*(?:\n\nDid you mean[\s\S]*)?|Offset \d+ is (?:out of range for this file|beyond end of file) \(\d+ lines(?: total)?\)|E(?:NOENT|ACCES|ISDIR|PERM|NOTDIR|LOOP): [^\n]*|Cannot read binary file: [^\n]*|File does not exist\.[^\n]*)$/

const failedChange =
  /^(?:Error\b|Could not find |Cannot |Failed to |File not found\b|File .* not found|Found (?:multiple|\d+) |No changes |E(?:NOENT|ACCES|ISDIR|PERM|NOTDIR|LOOP): |oldString |String to replace not found|File has (?:not been read|been modified))/

const copilotFailure =
  /^(?:Path [^\n]* does not exist\. Please provide a valid path\.|Path [^\n]* already exists as a (?:file|directory)\.[^\n]*|Invalid view_range: [^\n]*|No match found: [^\n]*|Multiple matches found[^\n]*)$/
