import { type AttachmentItem, maskedAttachment } from '../../render/placeholders.ts'
import { callKey } from '../../words/call-key.ts'
import { isUntouched } from '../prune/untouched.ts'
import type { StrategyFactory } from '../strategy.ts'

const strategy = 'screenshotSupersede'

/** `screenshotSupersede`: a newer screenshot by the same call replaces the earlier one. */
export const screenshot: StrategyFactory = (settings) => {
  if (!settings.screenshotSupersede) return null
  const keys = new Map<string, string>()
  const newest = new Map<string, AttachmentItem>()
  return {
    name: strategy,
    items: ['call', 'attachment'],
    *message({ items }, view) {
      for (const item of items) {
        if (item.kind === 'call' && isScreenshot(item)) keys.set(item.call, callKey(item))
        if (item.kind !== 'attachment' || item.call === undefined) continue
        const key = keys.get(item.call)
        if (key === undefined || !item.media.startsWith('image')) continue
        const older = newest.get(key)
        newest.set(key, item)
        if (older === undefined || older.call === item.call || !isUntouched(older, view)) continue
        const text = maskedAttachment(older, view.restore)
        if (text === null) continue
        yield {
          kind: 'show',
          item: older,
          rendition: { how: 'masked', text },
          reason: 'attachment',
          strategy,
          by: item,
        }
      }
    },
  }
}

/** True for a screenshot tool, and for a computer tool that is asked for a screenshot. */
function isScreenshot({ tool, text }: { readonly tool: string; readonly text: string }): boolean {
  return /screen_?shot/i.test(tool) || /"action":\s*"screenshot"/.test(text)
}
