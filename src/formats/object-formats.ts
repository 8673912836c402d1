import { aiSdk } from './ai-sdk/index.ts'
import type { Format, ObjectFormatName } from './format.ts'
import { opencode } from './opencode/index.ts'

/** The formats of lists of messages, by name. */
export const objectFormats: Readonly<Record<ObjectFormatName, Format<readonly unknown[]>>> = {
  'ai-sdk': aiSdk,
  opencode,
}
