import type { Operation } from '../../words/operation.ts'
import {
  change,
  type FileTouch,
  type FileTouches,
  patchTouches,
  spanNeeded,
  spanShown,
} from './file-touch.ts'
import { showsSeveralFiles } from './several-files.ts'
import { shellTouches } from './shell-touches.ts'

/** The files that a successful operation shows or changes. */
export function touchesOf(operation: Operation): FileTouches {
  const { action } = operation
  switch (action.kind) {
    case 'read': {
      const several = showsSeveralFiles(operation)
      const covers = several ? null : spanShown(operation, action.lines)
      const needs = spanNeeded(operation, action.lines)
      return located([{ path: action.path, kind: 'read', covers, needs }], !several)
    }
    case 'write':
      return located([change(action.path, 'write')], true)
    case 'edit':
      return located([change(action.path, 'edit')], true)
    case 'patch':
      return located(action.files.flatMap(patchTouches), true)
    case 'shell':
      return shellTouches(operation, action)
    default:
      return { touches: [], isAll: false }
  }
}

/** An operation on a file that nobody named (an editor's open one) is about no file that can be followed. */
function located(touches: readonly FileTouch[], isAll: boolean): FileTouches {
  const known = touches.filter((touch) => touch.path !== '')
  return { touches: known, isAll: isAll && known.length > 0 && known.length === touches.length }
}
