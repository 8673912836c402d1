import type { FilePatch, LineCommand, ShellChange } from '../core/words/action.ts'

/** A file's patch with its paths mapped. */
export function patchWithPaths(file: FilePatch, path: (spelled: string) => string): FilePatch {
  if (file.op !== 'update') return { ...file, path: path(file.path) }
  const movedTo = file.movedTo === null ? null : path(file.movedTo)
  return { ...file, path: path(file.path), movedTo }
}

/** A shell change with its paths mapped. */
export function changeWithPaths(
  change: ShellChange,
  path: (spelled: string) => string,
): ShellChange {
  switch (change.kind) {
    case 'unknown':
      return change
    case 'patch':
      return { ...change, files: change.files.map((file) => patchWithPaths(file, path)) }
    case 'move':
    case 'copy':
      return { ...change, path: path(change.path), to: path(change.to) }
    case 'change':
      return change.script === undefined
        ? { ...change, path: path(change.path) }
        : {
            ...change,
            path: path(change.path),
            script: change.script.map((command) => commandWithPaths(command, path)),
          }
    default:
      return { ...change, path: path(change.path) }
  }
}

function commandWithPaths(command: LineCommand, path: (spelled: string) => string): LineCommand {
  if (command.does.kind !== 'read') return command
  return { ...command, does: { kind: 'read', path: path(command.does.path) } }
}
