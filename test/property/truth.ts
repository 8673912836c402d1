import type { Engine, EngineRequest } from '../../src/core/engine.ts'
import type { PlayedRequest, RandomSession } from './session.ts'

const numberedLine = /^ *(\d+)(?:→|: |\t)(.*)$/

/** What the agents of these sessions put around the output of a command. */
const frameLine =
  /^(?:Chunk ID|Wall time|Command|Directory|Stderr|Error|Exit Code|Signal|Background PIDs|Process Group PGID): |^Process exited|^Output:$/

/**
 * What a request shows as a file's content of a turn, and the file said neither then nor at any time since. Views are
 * checked where the session left no doubt about its files: nothing was changed behind its back.
 */
export function untrueLines(
  { pathOfCall }: RandomSession,
  { messages, truthAfter, obscured }: PlayedRequest,
  { changes }: EngineRequest,
  engine: Engine,
): readonly string[] {
  if (obscured) return []
  return changes.flatMap((change) => {
    const draft = messages[change.message]?.items[change.item]
    if (change.decision.rendition.how !== 'view' || draft?.kind !== 'result') return []
    const path = pathOfCall.get(draft.call) ?? ''
    const named = /as of (?!this read)[^·]* ([0-9a-f]{6,}) · /.exec(change.text ?? '')?.[1]
    const turn = engine.find(named ?? change.decision.handle)?.turn ?? Number.NaN
    const states = truthAfter.slice(turn - 1).map(({ files }) => files.get(path) ?? null)
    const untrue = states.map((lines) =>
      lines === null ? ['there is no such file'] : untrueIn(change.text ?? '', draft, lines),
    )
    return untrue.some((faults) => faults.length === 0)
      ? []
      : [`${path} as of turn ${turn}: ${untrue[0]?.[0] ?? 'no such turn'}`]
  })
}

/** Lines of a view that are no lines of the file, or stand there under other numbers where the agent writes any. */
function untrueIn(
  view: string,
  original: { readonly tool: string; readonly text: string },
  lines: readonly string[],
): readonly string[] {
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
  const note = shown.findLastIndex((line) => line.includes('context_restore'))
  return shown
    .filter((line, index) => index !== note && !frameLine.test(line))
    .map((line) => line.replace(/^Stdout: /, ''))
    .filter((line) => line !== '' && !lines.includes(line))
}

/** A line of the file itself may look as if it had a number, but not as `nl` writes it. */
function isNumbered({ tool, text }: { readonly tool: string; readonly text: string }): boolean {
  return /^read$/i.test(tool) || /^ +\d+\t/m.test(text)
}
