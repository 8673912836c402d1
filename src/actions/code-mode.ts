import type { Action, ShellAction, ShellChange, ShellRead } from '../core/words/action.ts'
import { changedPaths } from '../core/words/effects.ts'
import type { Fields } from './call-input.ts'
import { changeWithPaths, possibleChange } from './change-paths.ts'
import { type Program, type ProgramCall, readProgram } from './code-mode-program.ts'
import { continuedShellCall } from './shell-calls.ts'

type ReadCall = (call: { readonly tool: string; readonly text: string }) => Action

/** The effects of a program's call and the files in its result. */
interface Effects {
  readonly command: string
  readonly reads: readonly ShellRead[]
  readonly changes: readonly ShellChange[]
}

/**
 * The effects of a program in Codex's code mode, taken from the tools that it calls. If they cannot be read from the
 * program, any file may have changed.
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

/** A call that waits for a running program, which may have changed any file. */
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
      // A failed command throws no error. Its exit code is only visible if nothing else was printed.
      const showsExitCode = prints === 'result' && program.printsOnce
      return { command, reads, changes: showsExitCode ? changes : changes.flatMap(possibleChange) }
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

/** If several concurrent calls change a file, the order is unknown. */
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
      return isShared ? possibleChange(change) : [change]
    }),
  )
}

/** The files in the program's output. They are exact if it is the output of one command and nothing else. */
function readsOf(
  { calls, printsOnce }: Program,
  effects: readonly Effects[],
): readonly ShellRead[] {
  const lastChange = effects.findLastIndex(({ changes }) => changes.length > 0)
  const changed = calls[lastChange]?.step ?? -1
  return effects.flatMap(({ reads }, at) => {
    const { prints, step } = calls[at]!
    if (prints === 'nothing') return []
    // A call that changes files prints them after its own changes.
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
