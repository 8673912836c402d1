import { isHandleLine } from '../core/render/marks.ts'
import { remembered } from '../core/render/remembered.ts'
import type { Action } from '../core/words/action.ts'
import type { Understanding } from '../core/words/operation.ts'
import type { FileLines, ResultReading } from '../core/words/reading.ts'
import { actionOf } from './action-of.ts'
import { changeWithPaths, patchWithPaths } from './change-paths.ts'
import type { ToolMapping } from './mapping.ts'
import { createPaths, type Paths } from './paths.ts'
import { readResultAfter } from './result/index.ts'
import { FileReading } from './result/reading.ts'
import { createShownFile, nothingShown, type ShownFile } from './result/shown-file.ts'

export interface UnderstandingOptions {
  /** The agent's working directory, or null when nobody knows it. */
  readonly cwd: string | null
  readonly mappings?: readonly ToolMapping[] | undefined
}

/**
 * Reads the calls and results of one session for the core: in one vocabulary, and with every path in its canonical
 * spelling. Some agents keep a file open that later calls do not name; it is remembered from their results, so calls
 * and results must be given in the order in which they happened.
 */
export function createUnderstanding(options: UnderstandingOptions): Understanding {
  const paths = createPaths({ cwd: options.cwd })
  const shownFiles = new Map<string, ShownFile>()
  let openFile = ''
  let directory: string | null = null

  /** Agents read the same files and run the same commands again and again. */
  const actionsByTool = new Map<string, (text: string) => Action>()

  function actionsOf(tool: string): (text: string) => Action {
    const known = actionsByTool.get(tool)
    if (known !== undefined) return known
    const read = (text: string): Action => {
      const action = actionOf({ tool, text }, { mappings: options.mappings })
      return canonicalAction(action, paths, { openFile, directory })
    }
    const readOnce = remembered(read)
    let isChange = false
    const added = (text: string): Action => {
      // No change is made twice in the same words, so that looking for one would be in vain.
      const action = isChange ? read(text) : readOnce(text)
      isChange = action.kind === 'edit' || action.kind === 'write' || action.kind === 'patch'
      return action
    }
    actionsByTool.set(tool, added)
    return added
  }

  /** Commands that are run again mostly print what they printed before. */
  const readOutputs = new Map<string, ReadOutput>()

  function readOutput(action: Action, tool: string, text: string): ResultReading {
    if (text.length > longestOutput) return readResultAfter(nothingShown, action, tool, text)
    const known = readOutputs.get(text)
    if (known?.action === action && known.tool === tool) return known.reading
    const reading = readResultAfter(nothingShown, action, tool, text)
    if (readOutputs.size >= mostOutputs) readOutputs.clear()
    readOutputs.set(text, { action, tool, reading })
    return reading
  }

  function shownBefore(action: Action): ShownFile {
    return action.kind === 'read' ? fileAt(action.path) : nothingShown
  }

  function fileAt(path: string): ShownFile {
    const known = shownFiles.get(path)
    if (known !== undefined) return known
    const added = createShownFile()
    shownFiles.set(path, added)
    return added
  }

  /** A result that no longer says which file is open was given by a call that does. */
  function open(path: string | null): void {
    if (path === null || path === openFile) return
    openFile = path
    actionsByTool.clear()
  }

  return {
    action(call) {
      return actionsOf(call.tool)(call.text)
    },
    reading(action, call, text) {
      const reading =
        action.kind === 'shell'
          ? readOutput(action, call.tool, text)
          : readResultAfter(shownBefore(action), action, call.tool, text)
      const state = editorState(text)
      if (state !== null) {
        const before = `${directory}\n${openFile}`
        directory = state.directory
        openFile = state.openFile === null ? '' : paths.canonical(state.openFile, directory)
        if (before !== `${directory}\n${openFile}`) actionsByTool.clear()
      } else if (openFile !== '' && isHandleLine(text)) open(pathOf(action))
      return withTotal(reading)
    },
  }
}

/** The short output that a command gave last, as it was read. */
interface ReadOutput {
  readonly action: Action
  readonly tool: string
  readonly reading: ResultReading
}

const longestOutput = 512
const mostOutputs = 512

interface EditorState {
  readonly openFile: string
  readonly directory: string | null
}

/** The file that an action leaves open; null for one that leaves open what was. */
function pathOf(action: Action): string | null {
  const names = action.kind === 'read' || action.kind === 'write' || action.kind === 'edit'
  return names ? action.path : null
}

function canonicalAction(action: Action, paths: Paths, state: EditorState): Action {
  const path = (spelled: string, workdir: string | null = state.directory): string =>
    spelled === '' ? state.openFile : paths.canonical(spelled, workdir)
  switch (action.kind) {
    // Spelled out: to spread objects of several shapes takes a hundred times as long, and each copy may get a shape of its
    // own, which makes whoever asks for the kind of an action slow.
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

/** SWE-agent closes each result with its open file and its directory. */
function editorState(
  text: string,
): { readonly openFile: string | null; readonly directory: string } | null {
  const end = text.slice(-2000)
  // Without the bracket, which code is full of: a search stops at every character that its text begins with.
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

/** Many agents say in the frame how many lines the file has. */
function withTotal(reading: ResultReading): ResultReading {
  const { lines, injected, truncated } = reading
  if (lines === null || injected.length === 0) return reading
  const total = totalOf(lines, reading)
  if (total === null) return reading
  const known: FileLines = { first: lines.first, lines: lines.lines, total }
  return reading instanceof FileReading
    ? new FileReading(known, injected, truncated)
    : { ...reading, lines: known }
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
