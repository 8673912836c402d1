import type { ShellAction, ShellRead } from '../../core/words/action.ts'
import {
  type CommandFrame,
  closingFrame,
  codexFrame,
  codexJsonFrame,
  exitCodeFrame,
  isCutInside,
  labelledFrame,
  longOutputFrame,
  returnCodeFrame,
  returnCodeJsonFrame,
  scriptFrame,
} from './command-frames.ts'
import { formatReport } from './format-report.ts'
import { withoutReminders, withoutTrailingReminders } from './injected.ts'
import { numberedRun, withTrimmedLine } from './line-numbers.ts'
import {
  type FileLines,
  type ResultReading,
  type Unframed,
  withoutByteOrderMark,
} from './reading.ts'

const codexTools =
  /^(exec_command|write_stdin|shell|shell_command|local_shell|local_shell_call|container\.exec)$/
const programTools = /^(?:functions(?:__|\.))?(?:exec|wait)$/
const claudeTools = /^([A-Z]|mcp__)/
const placeholders = new Set([
  '(no output)',
  '(Bash completed with no output)',
  '<system>Tool ran without output</system>',
  'Your command ran successfully and did not produce any output.',
  '(empty)',
])

/** Reads the output of a command. If it printed exactly one file, returns that file's lines. */
export function readCommandResult(action: ShellAction, tool: string, text: string): ResultReading {
  const only = action.reads.length === 1 ? action.reads[0] : undefined
  const exact = only?.exact === true ? only : undefined
  const reminded = remindersOff(tool, text, exact !== undefined)
  const unframed = commandFrame(tool, reminded.body)
  const body = placeholders.has(unframed.body.trim()) ? '' : withoutByteOrderMark(unframed.body)
  const truncated = unframed.truncated ?? false
  const exitCode = isRefusedPatch(action, body) ? null : (unframed.exitCode ?? null)
  const failed = truncated || (exitCode !== null && exitCode !== 0)
  const formatting = exact === undefined ? formatReport(body) : null
  const reading: ResultReading = {
    body,
    lines: exact === undefined || failed ? null : shownLines(exact, tool, body),
    injected: [...unframed.injected, ...reminded.injected],
    exitCode,
    truncated,
    // Claude Code trims output before it adds a reminder.
    ...(reminded.injected.length > 0 && habitsOf(tool).reminds ? { trimmed: true } : {}),
  }
  return formatting === null ? reading : { ...reading, formatting }
}

/** True if the program's only change was a patch that failed, so nothing changed. */
function isRefusedPatch({ changes }: ShellAction, body: string): boolean {
  const [only] = changes
  if (changes.length !== 1 || only?.kind !== 'patch') return false
  return body.startsWith('Script error:\napply_patch verification failed')
}

/** Only Claude Code writes reminders into output; elsewhere a file that was printed may end with one. */
function remindersOff(tool: string, text: string, isFile: boolean): Unframed {
  if (habitsOf(tool).reminds) {
    return isFile ? withoutTrailingReminders(text) : withoutReminders(text)
  }
  return isFile ? { body: text, injected: [] } : withoutTrailingReminders(text)
}

function commandFrame(tool: string, text: string): Unframed {
  const { frames, isCodex } = habitsOf(tool)
  for (const frame of frames) {
    const unframed = frame(text)
    if (unframed !== null) return unframed
  }
  if (isCodex) return { body: text, injected: [], truncated: isCutInside(text) }
  const opening = longOutputFrame(text)
  const closing = closingFrame(opening.body)
  return {
    body: closing.body,
    injected: [...opening.injected, ...closing.injected],
    exitCode: closing.exitCode ?? null,
    truncated:
      opening.truncated === true || closing.truncated === true || isCutInside(closing.body),
  }
}

/** How a tool formats the output of a command. */
interface ToolHabits {
  readonly frames: readonly CommandFrame[]
  readonly isCodex: boolean
  /** Whether it may add reminders to the output. */
  readonly reminds: boolean
}

function habitsOf(tool: string): ToolHabits {
  return {
    frames: framesOf(tool),
    isCodex: codexTools.test(tool) || programTools.test(tool),
    reminds: claudeTools.test(tool),
  }
}

function framesOf(tool: string): readonly CommandFrame[] {
  if (programTools.test(tool)) return [scriptFrame]
  if (codexTools.test(tool)) return [codexFrame, codexJsonFrame]
  if (tool === 'Bash') return [exitCodeFrame]
  if (tool === 'run_shell_command') return [labelledFrame]
  if (tool === 'bash' || tool === '') return [returnCodeFrame, returnCodeJsonFrame]
  return [
    codexFrame,
    codexJsonFrame,
    returnCodeFrame,
    returnCodeJsonFrame,
    labelledFrame,
    exitCodeFrame,
  ]
}

/** Error messages about a file that cannot be printed, for OpenCode, which gives no exit code. */
const complaint =
  /^(?:cat|sed|head|tail|nl|tac|less|more|bat): .*: (?:No such file or directory|Is a directory|Permission denied)$/

function shownLines(read: ShellRead, tool: string, body: string): FileLines | null {
  if (read.numbered) {
    const tabbed = numberedRun(body, 'tab')
    const run = tabbed === null ? numberedRun(body, 'colon') : withTrimmedLine(tabbed)
    return run === null || run.rest.trim() !== '' ? null : run.shown
  }
  if (read.lines === null) return null
  const { start, end } = read.lines
  const text = body.endsWith('\n') ? body.slice(0, -1) : body
  const lines = body === '' ? [] : text.split('\n')
  if (lines.length === 1 && complaint.test(text)) return null
  const asked = end === null ? null : end - start + 1
  if (asked !== null && lines.length > asked) return null
  // Claude Code trims empty lines at both ends, so with fewer lines than asked the first line is unknown.
  if (asked !== null && lines.length < asked && tool === 'Bash') return null
  return { first: start, lines }
}
