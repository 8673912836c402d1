import type { OutputKind } from './output.ts'
import { moreThan, type Output } from './output.ts'
import { worth } from './piece.ts'
import { composeLines, weighLines } from './plain.ts'

const frame =
  /^\s*(?:at .+|File ".+", line \d+.*|#\d+ +.+|\d+: +(?:0x)?[\w:<>]+.*|goroutine \d+ .*|\S+\.go:\d+ \+0x\S+|from .+:\d+:in .+)$/
/** Frames of dependencies and of the language itself, which explain little. */
const foreign =
  /node_modules|site-packages|dist-packages|node:internal|internal\/|\/usr\/(?:lib|local)|\.cargo\/registry|rustc\/|java\.base|sun\.|jdk\.|org\.junit|<frozen|\/go\/src\/|vendor\//

/** A stack trace: the error, and the frames of the project itself. */
export const trace: OutputKind = {
  kind: 'trace',
  bestFit: 0.66,
  fits(output) {
    const { action } = output.source
    if (action !== null && action.kind !== 'shell' && action.kind !== 'other') return 0
    return moreThan(0.4, output, frame) ? 0.66 : 0
  },
  digest(output, limits) {
    return composeLines(frames(output), output, limits)
  },
}

const frames = (output: Output) => {
  let isForeign = false
  return weighLines(output, (line) => {
    if (frame.test(line)) {
      isForeign = foreign.test(line)
      return isForeign ? worth.noise : worth.informative
    }
    if (output.reportsFailure(line)) return worth.must
    // Python shows the source line below each frame.
    if (isForeign && /^ {4,}\S/.test(line)) return worth.noise
    return null
  })
}
