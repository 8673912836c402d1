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

/** How to restore the original: `context_restore a1b2c3`, `hash=a1b2c3`, or the bare handle. */
export function restoreHint({ handle, restore }: Recall): string {
  if (restore === null) return handle
  return restore.endsWith('=') ? `${restore}${handle}` : `${restore} ${handle}`
}

/** True for a label such as `hash=`, which names no tool that the agent could call. */
export function namesNoTool(restore: string): boolean {
  return /^\w+=$/.test(restore)
}

/** A one-line rendition made of its parts: what it was, why it is gone, how to restore it. */
export function bracketed(...parts: readonly string[]): string {
  return `[${parts.filter((part) => part !== '').join(' · ')}]`
}

const handle = '[0-9a-f]{6,}'
/** What `restoreHint` writes. */
const hint = `(?:[^\\n·\\]]{1,300}[ =])?${handle}`
/** A hint that names one of our own tools or commands. */
const ownHint = `(?:[\\w.-]*context_|palimpsest )restore ${handle}`
const line = '[^\\n]*'

/** A call above whose result, or whose input, shows the same text. */
export interface Source {
  /** The call in its own words: `npm test`, `read src/app.ts lines 1–40`. */
  readonly call: string
  readonly part: 'result' | 'input'
  readonly handle: string
}

/** Says where a text is shown: as in `npm test` above, result e3f1a2. */
const above = {
  write: ({ call, part, handle }: Source): string =>
    `as in ${call === '' ? '' : `\`${call}\` `}above, ${part} ${handle}`,
  pattern: `as in (?:\`${line}\` )?above, (?:result|input) ${handle}` as string,
}

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
  injected: 'shortened',
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

/** `[read src/app.ts · replaced by a later edit · context_restore a1b2c3]` */
export const placeholder = {
  write: (what: string, why: string, hint: string): string => bracketed(what, why, hint),
  /** Why the item is gone: `newer` names the kind of the operation that replaced it. */
  why(reason: Reason, newer: string | null): string {
    if (newer === null) return briefReasons[reason]
    switch (reason) {
      case 'hash':
      case 'search':
      case 'query':
        return 'repeated later'
      case 'url':
        return 'fetched again later'
      case 'retry':
        return 'succeeded later'
      case 'edits':
        return 'listed in a later result'
      default:
        return `replaced by a later ${newer}`
    }
  },
  pattern: [
    `(?:${line} · )?(?:${[...new Set(Object.values(briefReasons))].join('|')}) · ${hint}`,
    `(?:${line} · )?(?:repeated|fetched again|succeeded|listed in a|replaced by a) later(?: [^\\n·]+)? · ${hint}`,
    // Earlier versions named turns.
    `${line} at turn \\d+ · ${hint}`,
  ].join('|') as string,
}

const same = { output: 'same output', lines: 'same file lines' }

/** `[same output as in \`npm test\` above, result e3f1a2 · context_restore a1b2c3]` */
export const pointer = {
  write: (what: keyof typeof same, source: Source, hint: string): string =>
    bracketed(`${same[what]} ${above.write(source)}`, hint),
  pattern: `(?:${same.output}|${same.lines}) ${above.pattern} · ${hint}` as string,
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

const cutLabels = { leftOut: 'left out', names: 'left-out names' }
/** What digests of earlier versions said. */
const earlierCut = 'no output|named there'

/** A line of a digest: `[… 120 output lines left out · left-out names: src/a.ts parseName and 14 more · context_restore a1b2c3]` */
export const cutMark = {
  /** Null and empty parts are left out. */
  write: (...parts: readonly (string | null)[]): string =>
    `[… ${parts.filter((part) => part !== null && part !== '').join(' · ')}]`,
  leftOut: (count: number, noun: string): string =>
    `${grouped(count)} ${noun} ${cutLabels.leftOut}`,
  leftOutNames: (names: readonly string[], more: number): string =>
    names.length === 0
      ? ''
      : `${cutLabels.names}: ${names.join(' ')}${more === 0 ? '' : ` and ${grouped(more)} more`}`,
  /**
   * A folded part of a file with its place in the result: `[… 34 file lines left out · context_restore a1b2c3:12-45]`.
   * Only the first of several names the tool.
   */
  fold(first: number, last: number, hint: string, isFirst: boolean): string {
    const lines = `${plural(last - first + 1, 'file line')} ${cutLabels.leftOut}`
    const own = isFirst ? hint : hint.slice(hint.lastIndexOf(' ') + 1)
    return cutMark.write(lines, `${own}:${first}-${last}`)
  },
  /** Where lines of an output are left out; the last line of the digest says how to restore them. */
  gap: (count: number): string => cutMark.write(plural(count, 'output line')),
  alike: (count: number, example: string): string => `${grouped(count)} like \`${example}\``,
  /** The places of left-out matches of a search. */
  matches: (path: string, numbers: readonly string[]): string =>
    `${path === '' ? '' : `${path}: `}file lines ${numbers.join(', ')}`,
  pattern: `\\[… ${line} · ${hint}(?::\\d+-\\d+)?\\]` as string,
}

const digestLine = new RegExp(
  `^\\[… .*(?:${[...Object.values(cutLabels), earlierCut].join('|')})`,
  'm',
)

/** Lines of a read that other items show: `[… file lines 5–19 as in \`read src/app.ts\` above, result e3f1a2 · …]` */
export const linesElsewhere = {
  /** `there` is the number of the first line in the item that shows them; null when it shows no numbers. */
  write(lines: {
    readonly first: number
    readonly last: number
    readonly there: number | null
    readonly source: Source
    readonly hint: string | null
  }): string {
    const { first, last, there, source, hint } = lines
    const moved =
      there === null || there === first ? '' : `, there ${fileLines(there, there + last - first)}`
    return cutMark.write(`${fileLines(first, last)} ${above.write(source)}${moved}`, hint)
  },
  isStartOf: (text: string): boolean => text.trimStart().startsWith('[… file line'),
  pattern: `\\[… file lines? [\\d–]+ ${above.pattern}` as string,
}

function fileLines(first: number, last: number): string {
  return first === last ? `file line ${first}` : `file lines ${first}–${last}`
}

/** `[… 12 lines left out · context_restore a1b2c3]` */
export const middleLines = {
  write: (count: number, hint: string): string =>
    cutMark.write(`${plural(count, 'line')} ${cutLabels.leftOut}`, hint),
  pattern: cutMark.pattern as string,
}

/** `... [truncated: 45,231 chars total, 342 lines] ... [context_restore a1b2c3]` */
export const truncated = {
  write(chars: number, lines: number, hint: string | null): string {
    const size = `${grouped(chars)} chars total, ${plural(lines, 'line')}`
    return `... [truncated: ${size}] ...${hint === null ? '' : ` [${hint}]`}`
  },
  pattern: `\\.\\.\\. \\[truncated: ${line}\\] \\.\\.\\. \\[${hint}\\]` as string,
}

/** `[src/app.ts as of edit 91c0d2 · context_restore a1b2c3]` */
export const fileView = {
  /** `newest` is the newest operation whose effect the lines have; null when it is the read itself. */
  write(path: string, newest: NewestChange | null, hint: string): string {
    const moment = newest === null ? 'this read' : `${newest.name} ${newest.handle}`
    return bracketed(`${path} as of ${moment}`, hint)
  },
  gap: '\n[...]\n',
  pattern:
    `\\[${line} as of (?:this read|[^\\n·]{1,80} ${handle}|turn \\d+) · ${hint}\\]` as string,
}

/** An operation by its kind and the handle of its input or result. */
export interface NewestChange {
  readonly name: string
  readonly handle: string
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
  /** For an edit that a list of edits names. */
  writeListed: (handle: string): string => bracketed('diff', handle),
  pattern:
    `\\[(?:(?:input|replaced text) left out · ${line}${handle}|diff · ${handle})\\]` as string,
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
export const clearedByAgent = '[Old tool result content cleared]'

function anyOf(marks: readonly { readonly pattern: string }[]): string {
  return marks.map(({ pattern }) => pattern).join('|')
}

/** Marks that replace a result by one line. */
const wholeLine = new RegExp(
  `^\\[(?:${anyOf([bareHandle, placeholder, pointer, reread, failure, attachment, earlierWording])})\\]$`,
)
const claim = new RegExp(
  `^\\[(?:${same.output}|${same.lines}|… file lines? (?<first>\\d+)(?:–(?<last>\\d+))?) as in (?:\`${line}\` )?above, (?:result|input) (?<handle>${handle})`,
  'gm',
)
/** Marks that are a line of a result. */
const lineWithin = new RegExp(
  `^(?:${anyOf([cutMark, linesElsewhere, middleLines, truncated, fileView])})`,
  'm',
)
/** Marks inside a call's input. */
const insideInput = new RegExp(anyOf([removedLines, earlierInput]))
/** Marks that are the last line of the result of a call whose input was shortened. */
const noteLine = new RegExp(`^(?:${anyOf([inputNote, editList])})$`)
const longestWholeLine = 2000

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

/** Lines that a rendition of ours says are shown in another item. */
export interface Claim {
  /** The item that shows them. */
  readonly handle: string
  /** Their numbers in the file; null when it is the whole result. */
  readonly lines: { readonly first: number; readonly last: number } | null
}

export function claimsIn(text: string): readonly Claim[] {
  return [...text.matchAll(claim)].map(({ groups = {} }) => {
    const first = groups.first === undefined ? null : Number(groups.first)
    const lines = first === null ? null : { first, last: Number(groups.last ?? first) }
    return { handle: groups.handle ?? '', lines }
  })
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
