import type { LineRange, ReadAction } from '../../core/words/action.ts'
import { withoutTrailing } from '../../core/words/text.ts'
import { frameTail, withoutLeadingReminders, withoutTrailingReminders } from './injected.ts'
import {
  bareNumber,
  type NumberedRun,
  type NumberStyle,
  numberedRun,
  withTrimmedLine,
} from './line-numbers.ts'
import {
  fileReading,
  type Injected,
  injections,
  noInjections,
  type ResultReading,
  withInjected,
  withoutByteOrderMark,
} from './reading.ts'

/**
 * Reads the result of a tool that shows a file. Only the frames of that tool are tried, because a file may contain text
 * that looks like another frame.
 */
export function readFileResult(action: ReadAction, tool: string, text: string): ResultReading {
  const habits = habitsOf(tool)
  for (const frame of habits.frames) {
    const reading = frame(text, action.lines)
    if (reading !== null) return reading
  }
  return bareFile(action, habits, text)
}

type FileFrame = (text: string, asked: LineRange | null) => ResultReading | null

/** How a tool formats files. */
interface ToolHabits {
  readonly frames: readonly FileFrame[]
  /** Its line number styles, if it always numbers lines. */
  readonly required: readonly NumberStyle[] | undefined
  /** True if it returns the file unchanged. */
  readonly plain: boolean
  readonly several: boolean
}

function habitsOf(tool: string): ToolHabits {
  return {
    frames: framesOf(tool),
    required: numberedTools.get(tool),
    plain: plainTool.test(tool),
    several: severalTools.test(tool),
  }
}

function framesOf(tool: string): readonly FileFrame[] {
  if (numberedTools.has(tool)) return []
  if (/(^|[^a-z])read$/.test(tool)) return [taggedFrame, listingFrame]
  if (plainTool.test(tool)) return [cutFrame]
  return [taggedFrame, listingFrame, openFileFrame, catFrame, cutFrame]
}

/** OpenCode's `<path>` frame, and the `<file>` frame of its older versions and of Crush. */
function taggedFrame(text: string, asked: LineRange | null): ResultReading | null {
  const head =
    /^<path>[^\n]*<\/path>\n<type>file<\/type>\n<content>\n?/.exec(text)?.[0] ??
    /^<file>\n?/.exec(text)?.[0]
  if (head === undefined) return null
  const inside = text.slice(head.length)
  const styles: readonly NumberStyle[] = ['colon-space', 'zeros-pipe', 'pipe']
  for (const style of styles) {
    const run = numberedRun(inside, style)
    const tail = run === null ? null : frameTail(run.rest)
    if (run === null || tail === null) continue
    const injected = [...injections('header', head), ...tail]
    const last = run.shown.first + run.shown.lines.length - 1
    return fileReading(run.shown, injected, { truncated: isCut(tail, asked, last) })
  }
  const tail = frameTail(inside)
  if (tail === null) return head.startsWith('<path>') ? unread(text, []) : null
  return fileReading(
    { first: asked?.start ?? 1, lines: [] },
    [...injections('header', head), ...tail],
    {
      truncated: false,
    },
  )
}

function isCut(tail: readonly Injected[], asked: LineRange | null, last: number): boolean {
  const cut = tail.some(
    (part) =>
      part.kind === 'footer' && /^[([](Showing|Output|File has more|\d+ more)/.test(part.text),
  )
  return cut && (asked === null || asked.end === null || asked.end > last)
}

/** The listing of a directory. */
function listingFrame(text: string): ResultReading | null {
  const head =
    /^<path>[^\n]*<\/path>\n<type>directory<\/type>\n<entries>\n/.exec(text)?.[0] ??
    /^Here's the files and directories up to [^\n]*\n/.exec(text)?.[0]
  if (head === undefined) return null
  const body = withoutTrailer(text.slice(head.length))
  return {
    body,
    lines: null,
    injected: injections('header', head),
    exitCode: null,
    truncated: false,
  }
}

function withoutTrailer(text: string): string {
  const whole = text.trimEnd()
  if (!whole.endsWith('</entries>')) return text
  const inside = whole.slice(0, -'</entries>'.length)
  const lastLine = inside.lastIndexOf('\n', inside.length - 2) + 1
  const counted = /^\(\d+ entries\)\n$/.test(inside.slice(lastLine))
  return withoutTrailing(counted ? inside.slice(0, lastLine) : inside, '\n')
}

/** SWE-agent's window on its open file. */
export function openFileFrame(text: string): ResultReading | null {
  if (!text.includes('[File: ')) return null
  const plain = text.replaceAll('\r\n', '\n')
  const heads = [...plain.matchAll(/^\[File: .+ \(\d+ lines total\)\]$/gm)]
  const head = heads[0]
  if (head === undefined || heads.length > 1) return null
  if (plain.includes('Your changes have NOT been applied')) return null
  const start = (head.index ?? 0) + head[0].length + 1
  const above = /^\(\d+ more lines? above\)\n/.exec(plain.slice(start))?.[0] ?? ''
  const run = numberedRun(plain.slice(start + above.length), 'colon')
  if (run === null) return null
  const header = plain.slice(0, start + above.length)
  return fileReading(
    run.shown,
    [...injections('header', header), ...injections('footer', run.rest)],
    {
      truncated: false,
    },
  )
}

/** The text-editor tool's `cat -n`, and Claude Code's snippet after an edit. */
export function catFrame(text: string): ResultReading | null {
  const mark = text.indexOf('the result of running `cat -n` on ')
  const end = mark === -1 ? -1 : text.indexOf('\n', mark)
  if (end === -1 || text.slice(0, mark).split('\n', 5).length > 4) return null
  const head = text.slice(0, end + 1)
  for (const style of ['tab', 'arrow'] as const) {
    const run = runOf(text.slice(head.length), style)
    const tail = run === null ? null : frameTail(run.rest)
    if (run !== null && tail !== null) {
      return fileReading(run.shown, [...injections('header', head), ...tail], { truncated: false })
    }
  }
  return null
}

/** Gemini CLI's notice before a file that is shown in part or has truncated lines. */
function cutFrame(text: string, asked: LineRange | null): ResultReading | null {
  const head =
    /^\s*IMPORTANT: The file content has been truncated\.\n[\s\S]*?\n--- FILE CONTENT \(truncated\) ---\n/.exec(
      text,
    )?.[0]
  if (head === undefined) return null
  const status = /Showing lines (\d+)-(\d+) of (\d+) total lines/.exec(head)
  const [first, last, total] = status === null ? [1, 0, 1] : status.slice(1).map(Number)
  const lines = text.slice(head.length).split('\n')
  const truncated = last! < Math.min(total!, asked?.end ?? total!)
  return fileReading({ first: first!, lines }, injections('header', head), { truncated })
}

/** A Map, because every plain object has keys such as `constructor`. */
const numberedTools: ReadonlyMap<string, readonly NumberStyle[]> = new Map(
  Object.entries({
    Read: ['tab', 'arrow', 'colon-space'],
    NotebookRead: ['tab', 'arrow'],
    read_files: ['spaced-pipe'],
  }),
)
/** Tools that return a file unchanged, so everything in the result is the file's own text. */
const plainTool = /(^|__|[.:/])(?:[a-z]+_)*?(read|read_file|read_text_file|read_media_file|cat)$/
const severalTools = /read_?(many|multiple)_?files$/i
const letterStyle: readonly NumberStyle[] = ['letter-colon']
const anyStyle: readonly NumberStyle[] = [
  'tab',
  'arrow',
  'dot',
  'colon-space',
  'spaced-pipe',
  'pipe',
  'letter-colon',
]

/** Pi's replacement for an empty text, which some APIs reject: before version 0.87, and since. */
const emptyStandIns: ReadonlySet<string> = new Set(['(see attached image)', '(no tool output)'])

function bareFile(
  action: ReadAction,
  { required, plain, several }: ToolHabits,
  text: string,
): ResultReading {
  if (several) return unread(text, [])
  if (plain) {
    return (
      numberedFile(action, text, { styles: letterStyle, anyStart: false }) ??
      plainFile(action, text)
    )
  }
  const options = { styles: required ?? anyStyle, anyStart: required !== undefined }
  const numbered = numberedFile(action, text, options)
  if (numbered !== null) return numbered
  if (required !== undefined) {
    const { body, injected } = withoutTrailingReminders(text)
    const empty = body.trim() === '' && injected.some((part) => emptyFile.test(part.text))
    if (empty) return fileReading({ first: 1, lines: [] }, injected, { truncated: false })
    return unread(body, injected)
  }
  const trailing = withoutTrailingReminders(text)
  const file = plainFile(action, trailing.body)
  return withInjected(file, noInjections, trailing.injected)
}

/** Claude Code's message for an empty file; some versions count one empty line. */
const emptyFile = /contents are empty|shorter than the provided offset \(1\)/

function unread(text: string, injected: readonly Injected[]): ResultReading {
  const kept = /^<persisted-output>\n([\s\S]*?)\n?<\/persisted-output>\s*$/.exec(text)
  return {
    body: kept?.[1] ?? text,
    lines: null,
    injected,
    exitCode: null,
    truncated: kept !== null,
  }
}

const tokensLeft =
  /<system-reminder>\s*<total_tokens>[^<\n]*<\/total_tokens>\s*<\/system-reminder>$/

function numberedFile(
  action: ReadAction,
  result: string,
  options: { readonly styles: readonly NumberStyle[]; readonly anyStart: boolean },
): ResultReading | null {
  const leading = withoutLeadingReminders(result)
  const trimmed = leading.body.trimEnd()
  const isReminded = options.anyStart && trimmed.endsWith('</system-reminder>')
  const glued = isReminded ? tokensLeft.exec(trimmed)?.[0] : undefined
  const whole = glued === undefined ? leading.body : trimmed.slice(0, -glued.length)
  // A single number is a line number only for tools that always number lines.
  const lone = options.anyStart ? bareNumber.exec(whole) : null
  const text = lone === null ? whole : `${lone[1]}\t${whole.slice(lone[0].length)}`
  for (const style of options.styles) {
    const run = runOf(text, style)
    const tail = run === null ? null : frameTail(run.rest)
    if (run === null || tail === null) continue
    if (!options.anyStart && run.shown.first !== (action.lines?.start ?? 1)) continue
    const injected = [...leading.injected, ...tail, ...injections('system-reminder', glued ?? '')]
    return fileReading(run.shown, injected, { truncated: false })
  }
  return null
}

function runOf(text: string, style: NumberStyle): NumberedRun | null {
  const run = numberedRun(text, style)
  return run === null || style !== 'tab' ? run : withTrimmedLine(run)
}

const piFooter =
  /\n\n\[(?:Showing lines (\d+)-(\d+) of \d+[^\]\n]*|\d+ more lines in file)\. Use offset=(\d+) to continue\.?\]$/
const otherFooter =
  /\n\n\.\.\. \((\d+) more lines not shown\. Use offset=(\d+) to continue reading\)$/

/** A file without line numbers. Pi's footer is removed only if its numbers match the lines above it. */
function plainFile(action: ReadAction, result: string): ResultReading {
  const text = withoutByteOrderMark(result)
  const first = action.lines?.start ?? 1
  const footer =
    (text.endsWith(']') ? piFooter.exec(text) : null) ??
    (text.endsWith(')') ? otherFooter.exec(text) : null)
  if (footer !== null) {
    const lines = text.slice(0, footer.index).split('\n')
    const next = Number(footer.at(-1))
    const last = first + lines.length - 1
    const asked = action.lines?.end ?? null
    if (next === last + 1) {
      const truncated = asked === null || asked > last
      return fileReading({ first, lines }, injections('footer', footer[0]), { truncated })
    }
  }
  const file = emptyStandIns.has(text) ? '' : text
  return fileReading({ first, lines: file.split('\n') }, noInjections, { truncated: false })
}
