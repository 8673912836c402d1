import type { Action, ShellAction, ShellChange, ShellRead } from '../core/words/action.ts'
import { changedPaths } from '../core/words/effects.ts'
import type { Fields } from './call-input.ts'
import { changeWithPaths } from './change-paths.ts'
import { type Program, type ProgramCall, readProgram } from './program.ts'
import { continuedShellCall } from './shell-calls.ts'

type ReadCall = (call: { readonly tool: string; readonly text: string }) => Action

/** What a call of a program does, and which files its result shows. */
interface Effects {
  readonly command: string
  readonly reads: readonly ShellRead[]
  readonly changes: readonly ShellChange[]
}

/**
 * What a program in Codex's code mode does: what the tools do that it calls. Where nobody can tell by reading it, any file
 * may have changed.
 */
export function programAction(text: string, readCall: ReadCall): ShellAction {
  const program = readProgram(text)
  if (program === null) return { ...nothing, command: text, changes: [{ kind: 'unknown' }] }
  const [only, ...others] = program.calls
  if (only === undefined) return { ...nothing, command: text }
  const actions = program.calls.map((call) => actionIn(call, readCall))
  const [action] = actions
  const isShell = others.length === 0 && action?.kind === 'shell'
  const own = actions.map((each, at) => {
    const effects = effectsOf(each, program.calls[at]!, { program, text })
    return isShell || each?.kind !== 'shell' ? effects : inFolder(effects, each.workdir)
  })
  const changes = changesOf(program, own)
  const shown = {
    reads: readsOf(program, own),
    changes,
    command: own.map(({ command }) => command).join('\n'),
  }
  if (!isShell) return { ...nothing, ...shown }
  const query = program.printsOnce && only.prints !== 'other' ? action.query : null
  return { ...action, ...shown, query }
}

const nothing: ShellAction = {
  kind: 'shell',
  command: '',
  workdir: null,
  reads: [],
  changes: [],
  query: null,
  continues: false,
}

/** Waits for a program that goes on; meanwhile it may have changed anything. */
export function waitCall(fields: Fields): Action | null {
  if (!fields.has('cellid')) return null
  return { ...continuedShellCall(fields), changes: [{ kind: 'unknown' }] }
}

function actionIn({ tool, input }: ProgramCall, readCall: ReadCall): Action | null {
  if (input === undefined) return null
  return readCall({ tool, text: typeof input === 'string' ? input : JSON.stringify(input) })
}

function effectsOf(
  action: Action | null,
  { tool, prints }: ProgramCall,
  { program, text }: { readonly program: Program; readonly text: string },
): Effects {
  const unknown: Effects = { command: text, reads: [], changes: [{ kind: 'unknown' }] }
  switch (action?.kind) {
    case undefined:
      return unknown
    case 'shell': {
      const { command, reads, changes } = action
      // A command that fails throws no error, so that only its exit code tells. Behind other output it may be cut off.
      const isTold = prints === 'result' && program.printsOnce
      return { command, reads, changes: isTold ? changes : changes.flatMap(uncertain) }
    }
    case 'patch':
      if (action.files.length === 0) return unknown
      return { command: tool, reads: [], changes: [{ kind: 'patch', files: action.files }] }
    case 'write': {
      const { path, content } = action
      return {
        command: tool,
        reads: [],
        changes: [{ kind: 'write', path, content, append: false }],
      }
    }
    case 'edit':
      return { command: tool, reads: [], changes: [{ kind: 'change', path: action.path }] }
    default:
      return { command: tool, reads: [], changes: [] }
  }
}

/** A change that may have been made or not, or in part. */
function uncertain(change: ShellChange): readonly ShellChange[] {
  return change.kind === 'unknown'
    ? [change]
    : changedPaths(change).map((path) => ({ kind: 'change', path }))
}

/** Which of several calls that run at the same time changes a file last is unknown. */
function changesOf({ calls }: Program, effects: readonly Effects[]): readonly ShellChange[] {
  const changedBy = new Map<string, number>()
  for (const [at, { changes }] of effects.entries())
    for (const path of new Set(changes.flatMap(changedPaths))) {
      const key = `${calls[at]?.step} ${path}`
      changedBy.set(key, (changedBy.get(key) ?? 0) + 1)
    }
  return effects.flatMap(({ changes }, at) =>
    changes.flatMap((change) => {
      const isShared = changedPaths(change).some(
        (path) => (changedBy.get(`${calls[at]?.step} ${path}`) ?? 0) > 1,
      )
      return isShared ? uncertain(change) : [change]
    }),
  )
}

/** The files that the program's output shows, exactly where it is the output of one command and nothing else. */
function readsOf(
  { calls, printsOnce }: Program,
  effects: readonly Effects[],
): readonly ShellRead[] {
  const lastChange = effects.findLastIndex(({ changes }) => changes.length > 0)
  const changed = calls[lastChange]?.step ?? -1
  return effects.flatMap(({ reads }, at) => {
    const { prints, step } = calls[at]!
    if (prints === 'nothing') return []
    // A call that changes files itself prints them as it leaves them.
    const isFinal = changed < step || lastChange === at
    const isExact = printsOnce && prints !== 'other' && isFinal
    return isExact ? reads : reads.map((read) => ({ ...read, exact: false }))
  })
}

function inFolder({ command, reads, changes }: Effects, folder: string | null): Effects {
  if (folder === null) return { command, reads, changes }
  const inside = (path: string): string =>
    /^(?:[/~\\]|[A-Za-z]:)/.test(path) ? path : `${folder}/${path}`
  return {
    command,
    reads: reads.map((read) => ({ ...read, path: inside(read.path) })),
    changes: changes.map((change) => changeWithPaths(change, inside)),
  }
}
