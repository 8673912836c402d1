import type { Operation } from '../../words/operation.ts'
import { certainPlaces, findText } from '../text/find-text.ts'
import type { Knowledge } from '../text/version.ts'

const notFound =
  /not found|no match|did ?n[o']t match|(?:can|could|failed|unable)(?:not| not)? (?:to )?(?:find|locate)|does not (?:appear|contain|exist)|(?:modified|changed) since|expected lines/i

/**
 * True when an edit failed because its text was not found, although certain lines contain it. Then the file was changed
 * outside of the agent, and other files may have been changed too.
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

function isCertainlyThere(knowledge: Knowledge, text: string): boolean {
  return text === '' || certainPlaces(knowledge, findText(knowledge.version.runs, text)).length > 0
}
