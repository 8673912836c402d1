import { createUnderstanding, type UnderstandingOptions } from '../actions/understand.ts'
import { describeOperation, intentOf, summarizeEdit } from '../core/render/index.ts'
import { createOperations } from '../core/track/operations.ts'
import type { FilePatch, ShellAction, ShellChange } from '../core/words/action.ts'
import { addToList } from '../core/words/lists.ts'
import type { Operation } from '../core/words/operation.ts'
import type { Recording } from '../recordings/recording.ts'
import { replay } from './replay.ts'

/** One change of a file. */
export interface FileChange {
  readonly turn: number
  /** Handle of the call that made it. */
  readonly handle: string
  /** Why, in the agent's own words; null when it gave none. */
  readonly intent: string | null
  /** The intent, or else what was done, on one line. */
  readonly summary: string
}

export interface ChangedFile {
  /** In its canonical spelling. */
  readonly path: string
  readonly changes: readonly FileChange[]
}

/**
 * What a session did to each file, in the order in which the files were first changed: the intents of the edits, or the
 * edits themselves where no intent was given. Failed calls are left out.
 */
export function changelogOf(
  recording: Recording,
  options: Omit<UnderstandingOptions, 'cwd'> = {},
): readonly ChangedFile[] {
  const operations = createOperations(createUnderstanding({ ...options, cwd: recording.cwd }))
  const steps = replay(recording)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return changedFiles(step.value.messages.flatMap((message) => operations.observe(message)))
}

/** The changes of these operations, by file. */
export function changedFiles(operations: Iterable<Operation>): readonly ChangedFile[] {
  const files = new Map<string, FileChange[]>()
  for (const operation of operations) {
    if (operation.status !== 'ok' || (operation.reading?.exitCode ?? 0) !== 0) continue
    const intent = intentOf(operation)
    for (const [path, done] of changesOf(operation)) {
      const { turn, call } = operation
      addToList(files, path, { turn, handle: call.handle, intent, summary: intent ?? done })
    }
  }
  return [...files].map(([path, changes]) => ({ path, changes }))
}

/** Equal changes of a file on one line: `- core/agent.py: Increase tool result retention`. */
export interface ChangeLine {
  readonly text: string
  readonly turns: readonly number[]
}

/** The lines of a changelog. Paths inside the working folder are relative to it. */
export function changeLines(
  { path, changes }: ChangedFile,
  cwd: string | null,
): readonly ChangeLine[] {
  const bySummary = new Map<string, FileChange[]>()
  for (const change of changes) addToList(bySummary, change.summary, change)
  const name = cwd !== null && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path
  return [...bySummary].map(([summary, equal]) => {
    const times = equal.length === 1 ? '' : ` ${equal.length}x`
    const turns = [...new Set(equal.map(({ turn }) => turn))]
    return { text: `- ${name}: ${summary}${times}`, turns }
  })
}

type Done = readonly [path: string, done: string]

function changesOf(operation: Operation): readonly Done[] {
  const { action } = operation
  switch (action.kind) {
    case 'write':
    case 'edit':
      return action.path === '' ? [] : [[action.path, summarizeEdit(operation)]]
    case 'patch':
      return action.files.map((file) => [file.path, patchDone(file, operation)])
    case 'shell':
      return shellDone(operation, action)
    default:
      return []
  }
}

function patchDone(file: FilePatch, operation: Operation): string {
  switch (file.op) {
    case 'add':
      return 'added'
    case 'delete':
      return 'deleted'
    case 'update': {
      const moved = file.movedTo === null ? [] : [`moved to ${file.movedTo}`]
      const action = { kind: 'patch', files: [file] } as const
      const changed = file.hunks.length === 0 ? [] : [summarizeEdit({ ...operation, action })]
      return [...moved, ...changed].join('; ') || 'changed it'
    }
  }
}

/** A command may name a file several times; each change is listed once. */
function shellDone(operation: Operation, action: ShellAction): readonly Done[] {
  const done = new Map<string, string>()
  for (const change of action.changes) {
    for (const [path, what] of shellChangeDone(change, operation)) {
      if (!done.has(path)) done.set(path, what)
    }
  }
  return [...done]
}

function shellChangeDone(change: ShellChange, operation: Operation): readonly Done[] {
  switch (change.kind) {
    case 'write':
      return [[change.path, change.append ? 'appended to it' : 'wrote the whole file']]
    case 'change':
      return [[change.path, describeOperation(operation)]]
    case 'delete':
      return [[change.path, 'deleted']]
    case 'move':
      return [[change.path, `moved to ${change.to}`]]
    case 'copy':
      return [[change.to, `copied from ${change.path}`]]
    case 'patch':
      return change.files.map((file) => [file.path, patchDone(file, operation)])
    case 'unknown':
      return []
  }
}
