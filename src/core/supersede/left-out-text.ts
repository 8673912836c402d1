import { isStandIn } from '../guard/stand-in.ts'
import type { Item } from '../record/item.ts'
import type { Scene } from '../strategy.ts'
import type { Operation } from '../track/operation.ts'

const handleInText = /(?:context_|palimpsest )restore [0-9a-f]{6,}/
const linesOfEarlier = /^\[… lines? [^\n]*(?:unchanged since|as written at) turn \d+/m

/**
 * True for a call that says where its text is, and no longer what it was: the history was shown to somebody else
 * before, who sends it as it was shown. What is known of the file from here on is less than was known then.
 */
export function lacksItsText({ call: { text } }: Operation): boolean {
  return text.includes('restore ') && handleInText.test(text)
}

/** Whether a path names a file, however it is spelled: a call without its text may be no call that is understood. */
export function isPathOf(file: string, path: string): boolean {
  return file === path || file.endsWith(`/${path}`) || path.endsWith(`/${file}`)
}

/** True for a read that points to an earlier one, wholly or for some lines: that one has to stay as it is for it. */
export function pointsToEarlier({ result }: Operation): boolean {
  if (result === null) return false
  const { text } = result
  if (isStandIn(text)) return / (?:at|since) turn \d+ · /.test(text)
  // Every result is looked through: a search that begins with a rare character takes next to nothing.
  return text.includes('[…') && linesOfEarlier.test(text)
}

/** Everything that was decided for a file's sake is taken back: whoever knew more of it left it as it is. */
export function leaveAsShown(path: string, scene: Scene): void {
  for (const { call } of scene.files.history(path)) {
    if (call === null) continue
    const operation = scene.operationOf(scene.item(call))
    for (const item of [operation?.call, operation?.result]) {
      if (item !== null && item !== undefined && isForFile(item, scene)) scene.takeBack(item)
    }
  }
}

function isForFile(item: Item, { ledger }: Scene): boolean {
  return ledger.of(item.index)?.strategy === 'files'
}
