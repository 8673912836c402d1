import type { EngineRequest } from '../../src/core/engine.ts'
import type { RandomSession, SentRequest } from './session.ts'

const numberedLine = /^ *(\d+)(?:→|: |\t)(.*)$/

/**
 * What a request shows as a file's current content and the file does not say. Views are checked where the session left
 * no doubt about its files: nothing was changed behind its back.
 */
export function untrueLines(
  { pathOfCall }: RandomSession,
  { messages, truth, obscured }: SentRequest,
  { changes }: EngineRequest,
): readonly string[] {
  if (obscured) return []
  return changes.flatMap((change) => {
    const draft = messages[change.message]?.items[change.item]
    if (change.decision.rendition.how !== 'view' || draft?.kind !== 'result') return []
    const path = pathOfCall.get(draft.call) ?? ''
    const lines = truth.files.get(path)
    if (lines === undefined || lines === null) return [`a view of ${path}, which is not there`]
    return untrueIn(change.text ?? '', draft.text, lines).map((line) => `${path}: ${line}`)
  })
}

/** Lines of a view with their numbers, or, where the agent writes none, lines that the original frame does not have. */
function untrueIn(view: string, original: string, lines: readonly string[]): readonly string[] {
  const shown = view.split('\n')
  if (isNumbered(original)) {
    return (
      shown
        .flatMap((line) => {
          const match = numberedLine.exec(line)
          return match === null ? [] : [{ number: Number(match[1]), text: match[2] ?? '' }]
        })
        // After the last line break, some tools show an empty line.
        .filter(
          ({ number, text }) => (lines[number - 1] ?? '') !== text || number > lines.length + 1,
        )
        .map(({ number, text }) => `${number}: ${text}`)
    )
  }
  const frame = new Set(original.split('\n'))
  const note = shown.findLastIndex((line) => line.includes('context_restore'))
  return shown
    .filter((line, index) => line !== '' && index !== note)
    .filter((line) => !lines.includes(line) && !(frame.has(line) && !isLine(line, lines)))
}

const isLine = (line: string, lines: readonly string[]): boolean => lines.includes(line)

/** A line of the file itself may look as if it had a number. */
function isNumbered(text: string): boolean {
  const lines = text.split('\n')
  return lines.filter((line) => numberedLine.test(line)).length > lines.length / 3
}
