import { posix } from 'node:path'
import type { ShellChange } from '../../core/words/action.ts'
import { changedPaths } from '../../core/words/effects.ts'
import { possibleChange } from '../change-paths.ts'
import { type Field, resolveTarget, type ShellContext } from './context.ts'
import { knownText, type Output, wholeFile } from './output.ts'

/** Records a change, as a possible change if the part may not have run. */
export function recordChange(context: ShellContext, change: ShellChange): void {
  const { changes, texts } = context.effects
  if (change.kind === 'unknown') texts.clear()
  for (const path of changedPaths(change)) texts.delete(posix.normalize(path))
  if (context.certain) changes.push(change)
  else changes.push(...possibleChange(change))
}

/** Records an unknown change of a file. */
export function recordPath(context: ShellContext, field: Field): void {
  const target = resolveTarget(context, field)
  if (target.kind === 'nowhere') return
  if (target.kind !== 'path') recordChange(context, { kind: 'unknown' })
  else recordChange(context, { kind: 'change', path: target.path })
}

/** Writes what was printed to a file. */
export function recordWrite(
  context: ShellContext,
  field: Field,
  output: Output,
  options: { readonly append: boolean },
): void {
  const target = resolveTarget(context, field)
  const content = knownText(output)
  if (target.kind !== 'path' || content === null) {
    const source = options.append ? null : wholeFile(output)
    if (target.kind !== 'path' || source === null) recordPath(context, field)
    else recordChange(context, { kind: 'copy', path: source, to: target.path })
    return
  }
  const { path } = target
  const before = options.append ? recallText(context, path) : ''
  recordChange(context, { kind: 'write', path, content, append: options.append })
  if (before !== undefined && context.certain) {
    context.effects.texts.set(posix.normalize(path), before + content)
  }
}

/** The text of a file that this command has written, if it has not changed since. */
export function recallText(context: ShellContext, path: string): string | undefined {
  return context.effects.texts.get(posix.normalize(path))
}
