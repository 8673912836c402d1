import { type DigestSource, foldStructure, usualDigest } from '../digest/index.ts'
import type { Scene, StrategyFactory } from '../strategy.ts'
import type { Operation, ResultItem } from '../track/operation.ts'
import { isOpen } from './open-item.ts'

const strategy = 'admission'
/** No digest is asked for below this, whatever the kind. */
const leastChars = 800
/** A file's text of this size leaves no room for anything else, and is folded by its structure. */
const farTooLarge = 60_000
const foldedChars = 30_000

/**
 * `admission`: what commands, searches and pages print is cut before it is first sent, which costs nothing and saves its
 * price at every request. The cut knows what it cuts: failures, names that a later call may copy and the text of files
 * stay. What a file says is kept whole, because it may be edited, unless it is far too large.
 */
export const admission: StrategyFactory = (settings) => {
  if (!settings.admission.enabled) return null
  return {
    name: strategy,
    operation(operation, scene) {
      const { result } = operation
      if (result === null || result.text.length < leastChars || !isOpen(result, scene)) return
      const text = admitted(operation, result, scene)
      if (text === null) return
      const rendition = { how: 'truncated', text } as const
      scene.propose({ item: result, rendition, reason: 'output', strategy, by: null })
    },
  }
}

function admitted(operation: Operation, result: ResultItem, scene: Scene): string | null {
  const recall = `context_restore ${result.handle}`
  const isKnownName = (name: string): boolean => scene.isKnownName(name)
  if (printsFile(operation)) {
    if (result.text.length < farTooLarge) return null
    return foldStructure(result.text, { targetChars: foldedChars, recall, isKnownName })
  }
  const source: DigestSource = {
    text: result.text,
    handle: result.handle,
    tool: result.tool,
    action: operation.action,
    status: result.status,
    isKnownName,
  }
  return usualDigest(source, { recall })?.text ?? null
}

/** A file as it is, by whatever tool: the agent may copy from it what it edits. */
function printsFile({ action }: Operation): boolean {
  if (action.kind === 'read') return true
  if (action.kind !== 'shell' || action.changes.length > 0 || action.reads.length === 0)
    return false
  return action.reads.every(({ exact }) => exact)
}
