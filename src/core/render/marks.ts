import type { Reason } from '../words/decision.ts'
import { grouped, plural } from './counts.ts'

/*
 * The wording of every rendition. Each mark has its writers and the pattern that recognises their text, because a client
 * may send a history back as it was shown. To change a wording, edit its mark here and nowhere else.
 */

/** Where the original of a rendition is. */
export interface Recall {
  readonly handle: string
  /** The tool or command that restores originals; null when there is none. */
  readonly restore: string | null
}

/** How to restore the original: `context_restore a1b2c3`, or the bare handle. */
export function restoreHint({ handle, restore }: Recall): string {
  return restore === null ? handle : `${restore} ${handle}`
}

/** A one-line rendition of its parts: what it was, why it is gone, how to restore it. */
export function bracketed(...parts: readonly string[]): string {
  return `[${parts.filter((part) => part !== '').join(' · ')}]`
}

const handle = '[0-9a-f]{6,}'
/** What `restoreHint` writes. */
const hint = `(?:[^\\n·\\]]{1,300} )?${handle}`
/** A hint that names one of our own tools or commands. */
const ownHint = `(?:[\\w.-]*context_|palimpsest )restore ${handle}`
const line = '[^\\n]*'

/** Why an item is gone, in brief. */
export const briefReasons: Readonly<Record<Reason, string>> = {
  hash: 'replaced',
  file: 'replaced',
  todo: 'replaced',
  url: 'replaced',
  search: 'replaced',
  query: 'replaced',
  snapshot: 'replaced',
  retry: 'failed',
  context: 'done',
  input: 'input left out',
  error: 'old error',
  output: 'old output',
  reasoning: 'old reasoning',
  attachment: 'masked',
  marker: 'left out',
  'code-block': 'shortened',
  edits: 'listed',
  pressure: 'left for room',
  agent: 'discarded by you',
  user: 'discarded by the user',
}

export const bareHandle = {
  write: (handle: string): string => `[${handle}]`,
  pattern: handle as string,
}

/** `[read src/app.ts · replaced by edit at turn 14 · context_restore a1b2c3]` */
export const placeholder = {
  write: (what: string, why: string, hint: string): string => bracketed(what, why, hint),
  /** Why the item is gone: `newer` names the operation that replaced it. */
  why(reason: Reason, newer: { readonly name: string; readonly turn: number } | null): string {
    if (newer === null) return briefReasons[reason]
    const turn = `at turn ${newer.turn}`
    switch (reason) {
      case 'hash':
      case 'search':
      case 'query':
        return `repeated ${turn}`
      case 'url':
        return `fetched again ${turn}`
      case 'retry':
        return `succeeded ${turn}`
      case 'edits':
        return `listed ${turn}`
      default:
        return `replaced by ${newer.name} ${turn}`
    }
  },
  pattern: [
    `(?:${line} · )?(?:${[...new Set(Object.values(briefReasons))].join('|')}) · ${hint}`,
    `${line} at turn \\d+ · ${hint}`,
  ].join('|') as string,
}

const pointsTo = { fully: 'unchanged, see the result at turn', briefly: 'same as at turn' }

/** `[read src/app.ts · unchanged, see the result at turn 3 · context_restore a1b2c3]` */
export const pointer = {
  write: (what: string, turn: number, hint: string): string =>
    bracketed(what, `${pointsTo.fully} ${turn}`, hint),
  writeBriefly: (what: string, turn: number, hint: string): string =>
    bracketed(what, `${pointsTo.briefly} ${turn}`, hint),
  pattern:
    `(?:${line} · )?(?:${pointsTo.fully}|${pointsTo.briefly}) (?<turn>\\d+) · ${hint}` as string,
}

const rereadOf = 'Re-read of '

/** `[Re-read of src/app.ts - see earlier read for content] [context_restore a1b2c3]` */
export const reread = {
  write: (path: string, hint: string): string =>
    `[${rereadOf}${path} - see earlier read for content] [${hint}]`,
  pattern: `${rereadOf}${line} - see earlier read for content\\] \\[${hint}` as string,
}

/** `[edit src/app.ts · failed: old_string not found · context_restore a1b2c3]` */
export const failure = {
  write: (what: string, said: string, hint: string): string => bracketed(what, said, hint),
  said: (firstLine: string): string => (firstLine === '' ? 'failed' : `failed: ${firstLine}`),
  pattern: `(?:${line} · )?failed(?:: ${line})? · ${hint}` as string,
}

/** `[image/png, 34 KB · masked · context_restore a1b2c3]` */
export const attachment = {
  write: (what: string, hint: string): string => bracketed(what, hint),
  writeMasked: (what: string, hint: string): string => bracketed(what, 'masked', hint),
  writeBriefly: (media: string, handle: string): string => `[${media} ${handle}]`,
  pattern:
    `(?:[\\w.+-]+/[\\w.+…-]+|attachment)(?:, [~\\d,.]+ [KM]?B)? (?:${handle}|· (?:masked · )?${hint})` as string,
}

/** Lines that earlier versions wrote, which end in our own tool or command. */
const earlierWording = {
  pattern: `(?:${line}[ [])?(?:[\\w.-]*context_|palimpsest )?restore ${handle}` as string,
}

const cutWords = { leftOut: 'left out', names: 'named there', nothing: 'no output' }

/** Lines of a digest: `[… 120 lines left out · named there: src/a.ts parseName +14 · context_restore a1b2c3]` */
export const cut = {
  /** Null and empty parts are left out. */
  write: (...parts: readonly (string | null)[]): string =>
    `[… ${parts.filter((part) => part !== null && part !== '').join(' · ')}]`,
  leftOut: (count: number, noun: string): string => `${grouped(count)} ${noun} ${cutWords.leftOut}`,
  namedThere: (names: readonly string[], more: number): string =>
    names.length === 0
      ? ''
      : `${cutWords.names}: ${names.join(' ')}${more === 0 ? '' : ` +${more}`}`,
  /** The last line of a digest; without hint and count when an earlier line has the hint. */
  closing: (count: string, names: string, hint: string | null): string =>
    cut.write(hint === null ? null : count, names, hint),
  noOutput: (hint: string): string => cut.write(cutWords.nothing, hint),
  /** Left-out lines by number; only the first of several cuts has the hint. */
  lines(first: number, last: number, hint: string | null): string {
    const lines = first === last ? `line ${first}` : `lines ${first}–${last}`
    return hint === null ? cut.write(lines) : cut.write(`${lines} ${cutWords.leftOut}`, hint)
  },
  /** `[… lines 12–45 left out · context_restore a1b2c3:12-45]`, and `[… a1b2c3:50-80]` after the first. */
  ownHandle(first: number, last: number, hint: string, isFirst: boolean): string {
    const range = `${first}-${last}`
    if (isFirst) return cut.lines(first, last, `${hint}:${range}`)
    return cut.write(`${hint.slice(hint.lastIndexOf(' ') + 1)}:${range}`)
  },
  repeated: (count: number, handle: string, hint: string | null): string =>
    cut.write(`${count} lines ${cutWords.leftOut}: as in ${handle}`, hint),
  pattern: `\\[… ${line} · ${hint}(?::\\d+-\\d+)?\\]` as string,
}

const digestLine = new RegExp(`^\\[… .*(?:${Object.values(cutWords).join('|')})`, 'm')

/** Lines of a read that other items show: `[… lines 5–19 unchanged since turn 3 · context_restore a1b2c3]` */
export const linesElsewhere = {
  /** `there` is the number of the first line in the item that shows them; null when it shows no numbers. */
  write(lines: {
    readonly first: number
    readonly last: number
    readonly there: number | null
    readonly turn: number
    readonly hint: string | null
  }): string {
    const { first, last, there, turn, hint } = lines
    const range = `lines ${first}–${last}`
    if (there === null) return cut.write(`${range} as written at turn ${turn}`, hint)
    if (there === first) return cut.write(`${range} unchanged since turn ${turn}`, hint)
    return cut.write(`${range} unchanged, ${there}–${there + last - first} at turn ${turn}`, hint)
  },
  isStartOf: (text: string): boolean => text.trimStart().startsWith('[… line'),
  pattern: cut.pattern as string,
}

/** `... [12 lines left out · context_restore a1b2c3] ...` */
export const middleLines = {
  write: (count: number, hint: string): string =>
    `... [${plural(count, 'line')} left out · ${hint}] ...`,
  pattern: `\\.\\.\\. \\[${line} · ${hint}(?::\\d+-\\d+)?\\]` as string,
}

/** `... [truncated: 45,231 chars total, 342 lines] ... [context_restore a1b2c3]` */
export const truncated = {
  write(chars: number, lines: number, hint: string | null): string {
    const size = `${grouped(chars)} chars total, ${plural(lines, 'line')}`
    return `... [truncated: ${size}] ...${hint === null ? '' : ` [${hint}]`}`
  },
  pattern: `\\.\\.\\. \\[truncated: ${line}\\] \\.\\.\\. \\[${hint}\\]` as string,
}

/** `[src/app.ts as of turn 9 · context_restore a1b2c3]` */
export const fileView = {
  write: (path: string, turn: number, hint: string): string =>
    bracketed(`${path} as of turn ${turn}`, hint),
  gap: '\n[...]\n',
  pattern: `\\[${line} as of turn \\d+ · ${hint}(?::\\d+-\\d+)?\\]` as string,
}

/** In a patch, one line in place of several removed lines. */
export const removedLines = {
  write: (count: number, hint: string): string =>
    `-[${count} line${count === 1 ? '' : 's'} removed · ${hint}]`,
  isIn: (text: string, hint: string): boolean => text.includes(` removed · ${hint}]`),
  pattern: `(?:^|\\n|\\\\n)-\\[\\d+ lines? removed · ${hint}\\]` as string,
}

/** Placeholders in inputs, as earlier versions wrote them. */
const earlierInput = {
  pattern:
    `"omitted":"${ownHint}"|"\\[\\d+ lines? replaced · ${ownHint}\\]"|(?:^|\\n|\\\\n)\\[${ownHint}\\]` as string,
}

export const inputNote = {
  write: (hint: string): string => bracketed('input left out', hint),
  /** For an edit that keeps its new text. */
  writeReplacedText: (hint: string): string => bracketed('replaced text left out', hint),
  pattern: `\\[(?:input|replaced text) left out · ${line}${handle}\\]` as string,
}

const editsTo = '[Edits to '
const fullDiff = '[Full diff available in ground truth]'

/** A list of several edits, in the result of the last one. */
export const editList = {
  head: (path: string, count: number, firstTurn: number, lastTurn: number): string =>
    `${editsTo}${path}: ${count} changes between turns ${firstTurn}-${lastTurn}]`,
  foot: (hint: string): string => `${fullDiff} [${hint}]`,
  pattern: `\\${fullDiff}${line}` as string,
}

/** Replaces old reasoning, because providers require the field and reject an empty one. */
export const distilledReasoning = '—'

/** What agents write in place of a result that they cleared. */
const clearedByAgent = '[Old tool result content cleared]'

function anyOf(marks: readonly { readonly pattern: string }[]): string {
  return marks.map(({ pattern }) => pattern).join('|')
}

/** Marks that replace a result by one line. */
const wholeLine = new RegExp(
  `^\\[(?:${anyOf([bareHandle, placeholder, pointer, reread, failure, attachment, earlierWording])})\\]$`,
)
const pointerLine = new RegExp(`^\\[${pointer.pattern}\\]`)
/** Marks that are a line of a result. */
const lineWithin = new RegExp(
  `^(?:${anyOf([cut, linesElsewhere, middleLines, truncated, fileView])})`,
  'm',
)
/** Marks inside a call's input. */
const insideInput = new RegExp(anyOf([removedLines, earlierInput]))
/** Marks that are the last line of the result of a call whose input was shortened. */
const noteLine = new RegExp(`^(?:${anyOf([inputNote, editList])})$`)
const longestWholeLine = 400

/**
 * True for a result that was cleared by the agent or replaced by one of our lines with a handle. It cannot supersede
 * another result and is not shortened further. Anybody may have written it, so its handle is not trusted.
 */
export function showsNoContent(text: string): boolean {
  return text === clearedByAgent || isHandleLine(text)
}

/** True for one of our lines with a handle at its end. */
export function isHandleLine(text: string): boolean {
  if (!text.startsWith('[')) return false
  const line = withoutNote(text)
  return line.length < longestWholeLine && wholeLine.test(line)
}

/** True for one of our lines, but not for a bare handle, which other text may look like. */
export function isSureHandleLine(text: string): boolean {
  return isHandleLine(text) && (text.includes(' · ') || text.startsWith(`[${rereadOf}`))
}

/** The turn of the result to which a pointer points; null when the text is not a pointer. */
export function pointedTurn(text: string): number | null {
  const turn = isHandleLine(text) ? pointerLine.exec(text)?.groups?.turn : undefined
  return turn === undefined ? null : Number(turn)
}

/** True when a line of the text says what was left out, or is the note of a file view. */
export function hasCutLine(text: string): boolean {
  return lineWithin.test(text)
}

/** True for a digest, which must not be cut again. */
export function isDigest(text: string): boolean {
  return digestLine.test(text)
}

/** True for a call's input with text left out. */
export function lacksText(input: string): boolean {
  return insideInput.test(input)
}

/** True for a result that ends with a note about its call's input. */
export function endsInNote(text: string): boolean {
  return noteStart(text) !== -1
}

/** The result without the note about its call's input. */
export function withoutNote(text: string): string {
  const start = noteStart(text)
  return start === -1 ? text : text.slice(0, Math.max(0, start - 1))
}

function noteStart(text: string): number {
  const start = text.lastIndexOf('\n') + 1
  const last = text.slice(start)
  if (!last.endsWith(']') || !noteLine.test(last)) return -1
  return last.startsWith(fullDiff) ? text.lastIndexOf(`\n${editsTo}`) + 1 : start
}
