import { digest } from '../../render/digest/digest.ts'
import { foldStructure } from '../../render/digest/fold-structure.ts'
import { indexNames } from '../../render/digest/name-index.ts'
import { placeholderFor } from '../../render/index.ts'
import { cutMark, restoreHint } from '../../render/marks.ts'
import { type Operation, outputOf, type ResultItem } from '../../words/operation.ts'
import { printsFile } from '../retain/printed-files.ts'
import type { View } from '../strategy.ts'

/** The target and the maximum for the signatures of a file. Beyond the maximum, only names are listed. */
const fileChars = 800
const mostFileChars = 2400
const namesChars = 400
/** This share of the file's size is added to each of these limits. */
const fileShare = 0.02
/** For output that was seen. A later call copies names from it, and a name takes less room than its line. */
const foldedLimits = { leastChars: 400, targetChars: 250, mustChars: 250, namesChars: 600 }

/** The short form of a result: its structure, or the names in it that a later call may copy. */
export function shortForm(
  operation: Operation,
  result: ResultItem,
  { restore }: Pick<View, 'restore'>,
): string | null {
  const { handle, tool, status } = result
  const { action } = operation
  const text = outputOf(operation)
  const recall = restoreHint({ handle, restore })
  if (printsFile(action)) {
    const more = Math.floor(text.length * fileShare)
    const targetChars = fileChars + more
    const folded = foldStructure(text, { targetChars, mostChars: mostFileChars + more, recall })
    if (folded !== null) return folded
    const placeholder = placeholderFor(operation, null, 'output', { handle, restore })
    return namesOf(text, placeholder, namesChars + more)
  }
  const limits = { ...foldedLimits, recall }
  return digest({ text, tool, action, status, request: null }, limits)
}

/** A placeholder with the names that a later call may copy. */
function namesOf(text: string, placeholder: string, chars: number): string {
  const { names, more } = indexNames([text], placeholder, { chars })
  if (names.length === 0) return placeholder
  return `${placeholder}\n${cutMark.write(cutMark.leftOutNames(names, more))}`
}
