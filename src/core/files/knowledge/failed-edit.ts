import type { Operation } from '../../words/operation.ts'
import { findText } from '../text/find-text.ts'
import type { Knowledge } from '../text/version.ts'

const notFound =
  /not found|no match|did ?n[o']t match|(?:can|could|failed|unable)(?:not| not)? (?:to )?(?:find|locate)|does not (?:appear|contain|exist)|(?:modified|changed) since|expected lines/i

/**
 * True when an edit failed because its text was not found, although certain lines contain it. Then somebody else has
 * changed the file, and may have changed others.
 */
export function contradictsKnown(
  { action, reading }: Operation,
  knownOf: (path: string) => Knowledge,
): boolean {
  const answer = reading?.body ?? ''
  if (!notFound.test(answer)) return false
  const expected = expectedTexts(action)
  // Tools that take several texts quote the one that was not found, or name its file.
  const quoted = expected.filter(({ text }) => text !== '' && answer.includes(text.trim()))
  const named = expected.filter(({ path }) => answer.includes(path))
  const missed = quoted.length > 0 ? quoted : named.length > 0 ? named : expected
  return (
    missed.length > 0 && missed.every(({ path, text }) => isCertainlyThere(knownOf(path), text))
  )
}

function expectedTexts(
  action: Operation['action'],
): readonly { readonly path: string; readonly text: string }[] {
  if (action.kind === 'edit') {
    // With several edits, a later one may look for text that an earlier one wrote.
    const edit = action.edits.length === 1 ? action.edits[0] : undefined
    return edit?.kind === 'replace' ? [{ path: action.path, text: edit.oldText }] : []
  }
  if (action.kind !== 'patch') return []
  return action.files.flatMap((file) =>
    file.op !== 'update'
      ? []
      : file.hunks.map(({ lines }) => ({
          path: file.path,
          text: lines
            .filter((line) => line.sign !== '+')
            .map((line) => line.text)
            .join('\n'),
        })),
  )
}

function isCertainlyThere({ version, doubt }: Knowledge, text: string): boolean {
  if (text === '') return true
  return findText(version.runs, text).some(({ run, firstLine, lastLine }) => {
    let index = 0
    for (const chunk of version.runs[run]?.lines.chunks ?? []) {
      for (const line of chunk.lines) {
        if (index >= firstLine && index <= lastLine && line.stamp <= doubt) return false
        index++
      }
    }
    return true
  })
}
