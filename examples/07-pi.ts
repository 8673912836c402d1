// A Pi extension with options of your own: `pi -e examples/07-pi.ts`. Without options, `pi -e npm:palimpsest` is enough.
import { type PiHost, piExtension } from 'palimpsest/pi'

const extension: (pi: PiHost) => void = piExtension({
  preset: 'compact',
  protectedTools: ['ask_user'],
})

// biome-ignore lint/style/noDefaultExport: Pi takes the extension from it
export default extension
