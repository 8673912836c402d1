import { type PiHost, piExtension } from './extension.ts'

export { type PiContext, type PiHost, type PiTool, piExtension } from './extension.ts'

/** What Pi loads: `pi install npm:palimpsest`, or `pi -e` with the path of this file. */
const extension: (pi: PiHost) => void = piExtension()

// biome-ignore lint/style/noDefaultExport: Pi takes the extension from it
export default extension
