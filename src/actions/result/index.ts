import type { Action } from '../../core/words/action.ts'
import { codexFrame, longOutputFrame } from './command-frames.ts'
import { readCommandResult } from './command-result.ts'
import { catFrame, openFileFrame, readFileResult } from './file-result.ts'
import { withoutDiagnostics, withoutReminders, withoutTrailingReminders } from './injected.ts'
import { outcomesOf, statedExitCode } from './outcome-list.ts'
import { injections, noInjections, type ResultReading, withInjected } from './reading.ts'

export type { FileLines, Injected, InjectedKind, ResultReading } from './reading.ts'

/**
 * The content of a result without its frame, so that the same content is equal for all agents. Use it only for successful
 * calls, because without a frame an error looks like a file. `lines`, if present, is more exact than the call's own range.
 */
export function readResult(
  action: Action,
  call: { readonly tool: string },
  text: string,
): ResultReading {
  const label = /^(?:OBSERVATION:\n|EXECUTION RESULT of \[[^\]\n]+\]:\n)/.exec(text)?.[0] ?? ''
  const inner = text.slice(label.length)
  const reading = readOutcomes(action, call.tool, inner) ?? readUnlabelled(action, call.tool, inner)
  return withInjected(reading, injections('header', label), noInjections)
}

/** A call of several commands or searches shows what each printed, one after the other. */
function readOutcomes(action: Action, tool: string, text: string): ResultReading | null {
  const outcomes = outcomesOf(tool, text)
  if (outcomes === null) return null
  const reading = readUnlabelled(action, tool, outcomes.map((each) => each.text).join('\n'))
  const failed = outcomes.find((each) => !each.succeeded)
  const exitCode = failed === undefined ? reading.exitCode : (statedExitCode(failed.text) ?? 1)
  if (failed !== undefined) return { ...reading, lines: null, exitCode, failed: true }
  return outcomes.length > 1 ? { ...reading, lines: null } : reading
}

function readUnlabelled(action: Action, tool: string, text: string): ResultReading {
  switch (action.kind) {
    case 'read':
      return readFileResult(action, tool, text)
    case 'shell':
      return readCommandResult(action, tool, text)
    case 'write':
    case 'edit':
    case 'patch':
      return readChangeResult(text)
    default:
      return readOtherResult(text)
  }
}

/** Reads the confirmation of a change, often with the lines around it and diagnostics of a language server. */
function readChangeResult(text: string): ResultReading {
  const reminded = withoutTrailingReminders(text)
  const checked = withoutDiagnostics(reminded.body)
  const injected = [...checked.injected, ...reminded.injected]
  const shown = catFrame(checked.body) ?? openFileFrame(checked.body)
  if (shown !== null) return withInjected(shown, noInjections, injected)
  const framed = codexFrame(checked.body)
  return {
    body: framed?.body ?? checked.body,
    lines: null,
    injected: [...(framed?.injected ?? noInjections), ...injected],
    exitCode: framed?.exitCode ?? null,
    truncated: framed?.truncated ?? false,
  }
}

function readOtherResult(text: string): ResultReading {
  const reminded = withoutReminders(text)
  const framed = codexFrame(reminded.body) ?? longOutputFrame(reminded.body)
  const whole = framed.body.trimEnd()
  const last = whole.slice(whole.lastIndexOf('\n') + 1)
  const cut = /^\((?:Results (?:are )?truncated|Output truncated).*\)$/.test(last)
  const body = cut ? whole.slice(0, -last.length).trimEnd() : framed.body
  return {
    body,
    lines: null,
    injected: [...framed.injected, ...injections('footer', cut ? last : ''), ...reminded.injected],
    exitCode: framed.exitCode ?? null,
    truncated: cut || framed.truncated === true,
  }
}
