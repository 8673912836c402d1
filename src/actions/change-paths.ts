import type { FilePatch, ShellChange } from '../core/words/action.ts'
import { changedPaths } from '../core/words/effects.ts'

/** A file's patch with its paths mapped. */
export function patchWithPaths(file: FilePatch, path: (spelled: string) => string): FilePatch {
  if (file.op !== 'update') return { ...file, path: path(file.path) }
  const movedTo = file.movedTo === null ? null : path(file.movedTo)
  return { ...file, path: path(file.path), movedTo }
}

/** A change that may have been made, in full or in part. */
export function possibleChange(change: ShellChange): readonly ShellChange[] {
  if (change.kind === 'unknown') return [change]
  return changedPaths(change).map((path) => ({ kind: 'change', path }))
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
    default:
      return { ...change, path: path(change.path) }
  }
}
