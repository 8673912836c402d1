import type { Reason } from '../words/decision.ts'
import type { Item } from '../words/item.ts'
import { type Operation, outputOf } from '../words/operation.ts'
import { grouped } from './counts.ts'
import { cutEnd, cutMiddle, firstShorter, oneLine } from './cut.ts'
import { describeOperation, nameCall, nameOperation } from './describe-operation.ts'
import { failureLines } from './failure-lines.ts'
import {
  attachment,
  bareHandle,
  briefReasons,
  failure,
  placeholder,
  pointer,
  type Recall,
  reread,
  restoreHint,
  type Source,
} from './marks.ts'

/**
 * The placeholder of a superseded result: what it was, why it is gone, how to restore it. It has as much detail as is
 * shorter than the original. A result that is not longer than its handle gets the bare handle, which the guard refuses.
 *
 * ```ts
 * placeholderFor(read, edit, 'file', { handle: 'a1b2c3', restore: 'context_restore' })
 * // '[read src/app.ts lines 1–120 · replaced by a later edit · context_restore a1b2c3]'
 * ```
 */
export function placeholderFor(
  older: Operation,
  by: Operation | null,
  reason: Reason,
  recall: Recall,
): string {
  const hint = restoreHint(recall)
  const why = placeholder.why(reason, by === null ? null : nameOperation(by))
  const original = older.result === null ? older.call.text : outputOf(older)
  const bare = bareHandle.write(recall.handle)
  const candidates = [
    placeholder.write(describeOperation(older), why, hint),
    placeholder.write(nameOperation(older), why, hint),
    placeholder.write('', why, hint),
    placeholder.write('', briefReasons[reason], hint),
    placeholder.write('', briefReasons[reason], recall.handle),
    bare,
  ]
  return firstShorter(candidates, original) ?? bare
}

/**
 * The pointer in place of a result that repeats an earlier, still visible one; null when it is not shorter.
 *
 * ```ts
 * pointerTo(test, { text, handle: 'a1b2c3' }, 'context_restore')
 * // '[same output as in `npm test` above, result e3f1a2 · context_restore a1b2c3]'
 * ```
 */
export function pointerTo(
  earlier: Operation,
  repeated: { readonly text: string; readonly handle: string; readonly isFile?: boolean },
  restore: string | null,
): string | null {
  const source = sourceOf(earlier, 'result')
  if (source === null) return null
  const what = repeated.isFile === true ? 'lines' : 'output'
  const hint = restoreHint({ handle: repeated.handle, restore })
  return firstShorter(
    [
      pointer.write(what, source, hint),
      pointer.write(what, { ...source, call: '' }, hint),
      pointer.write(what, { ...source, call: '' }, repeated.handle),
    ],
    repeated.text,
  )
}

/** The call that shows a text, as pointers name it; null for a result that has not arrived. */
export function sourceOf(operation: Operation, part: Source['part']): Source | null {
  const item = part === 'result' ? operation.result : operation.call
  return item === null ? null : { call: nameCall(operation), part, handle: item.handle }
}

/** The pointer in place of a repeated read; null when it is not shorter. */
export function rereadPointer(path: string, original: string, recall: Recall): string | null {
  const hints = [restoreHint(recall), recall.handle]
  return firstShorter(
    hints.map((hint) => reread.write(path, hint)),
    original,
  )
}

const errorLimit = 200

/**
 * The placeholder of an old failure: what failed, and the first line of its error. null when it is not shorter.
 *
 * ```ts
 * purgedError(edit, 'context_restore') // '[edit src/app.ts · failed: old_string not found · context_restore a1b2c3]'
 * ```
 */
export function purgedError(operation: Operation, restore: string | null): string | null {
  const { result } = operation
  if (result === null) return null
  const line = firstErrorLine(result.text, operation.action.kind === 'shell')
  const said = failure.said(cutEnd(line, errorLimit))
  const hint = restoreHint({ handle: result.handle, restore })
  return firstShorter(
    [
      failure.write(describeOperation(operation), said, hint),
      failure.write(nameOperation(operation), said, hint),
      failure.write('', said, hint),
      failure.write('', cutEnd(said, 80), hint),
    ],
    result.text,
  )
}

/** The first line, and for a command also the first failure line, because the first is often only an exit code. */
function firstErrorLine(text: string, isCommand: boolean): string {
  const lines = text
    .replaceAll(/<\/?tool_use_error>/g, '')
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '')
  const [first = '', ...others] = lines
  if (!isCommand) return first
  const rest = others.join('\n')
  const failure =
    failureLines(rest, { lines: 2, characters: 1000, line: 200 })[0] ?? others[0] ?? ''
  return failure === '' || failureLines(first).length > 0
    ? first
    : `${cutEnd(first, 80)} … ${failure}`
}

export type AttachmentItem = Item & { readonly kind: 'attachment' }

/**
 * The placeholder of an attachment: its media type, its size if known, and the handle. null when it is not shorter than
 * the record's description.
 *
 * ```ts
 * maskedAttachment(image, 'context_restore') // '[image/png, 34 KB · masked · context_restore a1b2c3]'
 * ```
 */
export function maskedAttachment(item: AttachmentItem, restore: string | null): string | null {
  const hint = restoreHint({ handle: item.handle, restore })
  const media = cutMiddle(oneLine(item.media), 40) || 'attachment'
  const size = attachmentSize(item.text)
  const what = size === null ? media : `${media}, ${size}`
  return firstShorter(
    [
      attachment.writeMasked(what, hint),
      attachment.write(what, hint),
      attachment.write(media, hint),
      attachment.writeBriefly(media, item.handle),
    ],
    item.text,
  )
}

/** Formats give bytes; recordings give base64 characters, four for three bytes. */
function attachmentSize(text: string): string | null {
  const bytes = /(?:^|[ ,·])(\d{1,12}) bytes\b/.exec(text)
  if (bytes !== null) return formatBytes(Number(bytes[1]))
  const characters = /(?:^|[ ,·])(\d{1,12}) characters\b/.exec(text)
  const count = characters === null ? 0 : Number(characters[1])
  // Fewer characters may be a URL or a file name.
  return count < 1000 ? null : `~${formatBytes(Math.floor((count * 3) / 4))}`
}

function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const kilobytes = bytes / 1024
  return kilobytes < 1024
    ? `${grouped(Math.round(kilobytes))} KB`
    : `${(kilobytes / 1024).toFixed(1)} MB`
}
