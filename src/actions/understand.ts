import { isHashOnly } from '../core/render/hash-only.ts'
import { isHandleLine } from '../core/render/marks.ts'
import type { Action } from '../core/words/action.ts'
import type { Understanding } from '../core/words/operation.ts'
import type { FileLines, ResultReading } from '../core/words/reading.ts'
import { actionOf } from './action-of.ts'
import { changeWithPaths, patchWithPaths } from './change-paths.ts'
import type { ToolMapping } from './mapping.ts'
import { createPaths, type Paths } from './paths.ts'
import { readResult } from './result/index.ts'

export interface UnderstandingOptions {
  /** The agent's working directory, or null when unknown. */
  readonly cwd: string | null
  readonly mappings?: readonly ToolMapping[] | undefined
}

/**
 * Reads the calls and results of one session for the core, with canonical paths. Some agents have an open file that later
 * calls do not name; it is taken from their results, so calls and results must be passed in chronological order.
 */
export function createUnderstanding(options: UnderstandingOptions): Understanding {
  const paths = createPaths({ cwd: options.cwd })
  let openFile = ''
  let directory: string | null = null
  return {
    action(call) {
      if (isHashOnly(call.text)) return unknownAction
      const action = actionOf(call, { mappings: options.mappings })
      return canonicalAction(action, paths, { openFile, directory })
    },
    reading(action, call, text) {
      const reading = readResult(action, call, text)
      const state = editorState(text)
      if (state !== null) {
        directory = state.directory
        openFile = state.openFile === null ? '' : paths.canonical(state.openFile, directory)
      } else if (openFile !== '' && isHandleLine(text)) {
        // If the result does not name the open file, the call does.
        openFile = pathOf(action) ?? openFile
      }
      return withTotal(reading)
    },
  }
}

/** A call of which only the hash is kept may have changed any file. */
const unknownAction: Action = {
  kind: 'shell',
  command: '',
  workdir: null,
  reads: [],
  changes: [{ kind: 'unknown' }],
  query: null,
  continues: false,
}

interface EditorState {
  readonly openFile: string
  readonly directory: string | null
}

/** The file that an action opens, or null. */
function pathOf(action: Action): string | null {
  const names = action.kind === 'read' || action.kind === 'write' || action.kind === 'edit'
  return names ? action.path : null
}

function canonicalAction(action: Action, paths: Paths, state: EditorState): Action {
  const path = (spelled: string, workdir: string | null = state.directory): string =>
    spelled === '' ? state.openFile : paths.canonical(spelled, workdir)
  switch (action.kind) {
    case 'read':
      return { kind: 'read', path: path(action.path), lines: action.lines }
    case 'write':
      return { kind: 'write', path: path(action.path), content: action.content }
    case 'edit':
      return { kind: 'edit', path: path(action.path), edits: action.edits }
    case 'patch':
      return { kind: 'patch', files: action.files.map((file) => patchWithPaths(file, path)) }
    case 'shell': {
      const workdir = action.workdir ?? state.directory
      const inside = (spelled: string): string => path(spelled, workdir)
      return {
        kind: 'shell',
        command: action.command,
        workdir: action.workdir,
        reads: action.reads.map((read) => ({ ...read, path: inside(read.path) })),
        changes: action.changes.map((change) => changeWithPaths(change, inside)),
        query: action.query,
        continues: action.continues,
      }
    }
    case 'search': {
      const { pattern, include } = action
      return action.path === null
        ? action
        : { kind: 'search', pattern, path: path(action.path), include }
    }
    case 'glob':
      return action.path === null
        ? action
        : { kind: 'glob', pattern: action.pattern, path: path(action.path) }
    default:
      return action
  }
}

/** SWE-agent ends each result with its open file and directory. */
function editorState(
  text: string,
): { readonly openFile: string | null; readonly directory: string } | null {
  const end = text.slice(-2000)
  if (!end.includes('Open file: ')) return null
  const found =
    /^\(Open file: ([^\n]+)\)\r?\n\(Current directory: ([^\n]+)\)\r?\n(?:bash-\$|\$)?\s*$/m.exec(
      end,
    )
  if (found === null) return null
  const openFile = found[1] === 'n/a' ? null : (found[1] ?? null)
  return { openFile, directory: found[2] ?? '' }
}

const totals: readonly RegExp[] = [
  /\((?:End of file - )?total (\d+) lines\)/,
  /^\[File: .* \((\d+) lines total\)\]/m,
  /Showing lines \d+-\d+ of (\d+)/,
  /lines \d+-\d+ of (\d+) total lines/,
]
const more =
  /(?:\((\d+) more lines not shown|\[(\d+) more lines in file|\((\d+) more lines below\))/

/** Adds the file's line count, which many agents write in the frame. */
function withTotal(reading: ResultReading): ResultReading {
  const { lines, injected } = reading
  if (lines === null || injected.length === 0) return reading
  const total = totalOf(lines, reading)
  return total === null ? reading : { ...reading, lines: { ...lines, total } }
}

function totalOf(lines: FileLines, { injected }: ResultReading): number | null {
  const shownTo = lines.first - 1 + lines.lines.length
  for (const { kind, text } of injected) {
    if (kind !== 'footer' && kind !== 'header') continue
    for (const pattern of totals) {
      const total = Number(pattern.exec(text)?.[1] ?? Number.NaN)
      if (total >= shownTo) return total
    }
    const rest = more.exec(text)
    if (rest !== null) return shownTo + Number(rest[1] ?? rest[2] ?? rest[3])
  }
  return null
}
