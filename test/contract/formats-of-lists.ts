import { aiSdk } from '../../src/formats/ai-sdk/index.ts'
import type { Format, ObjectFormatName } from '../../src/formats/format.ts'
import { opencode } from '../../src/formats/opencode/index.ts'

/** The formats of lists of messages, by name. */
export const objectFormats: Readonly<Record<ObjectFormatName, Format<readonly unknown[]>>> = {
  'ai-sdk': aiSdk,
  opencode,
}
