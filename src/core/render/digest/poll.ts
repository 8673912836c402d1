import { cut } from '../marks.ts'
import type { OutputKind } from './output-kind.ts'

const figures =
  /^(?:Chunk ID: .*|Wall time: .*|Original token count: \d+|Total output lines: \d+|Output:)$/
const state =
  /^(?:Process exited with code -?\d+|Process running with session ID .*|Exit code: -?\d+)$/

/** Asking a command that runs for more, when there is none: whether it still runs is all that it says. */
export const poll: OutputKind = {
  kind: 'poll',
  bestFit: 1,
  fits({ source: { action }, lines }) {
    if (action?.kind !== 'shell' || lines.length > 9) return 0
    const said = lines.filter((line) => line.trim() !== '')
    const isFrame = said.every((line) => figures.test(line) || state.test(line))
    return isFrame && said.some((line) => state.test(line)) ? 1 : 0
  },
  digest({ lines }, { recall }) {
    return [...lines.filter((line) => state.test(line)), cut.noOutput(recall)].join('\n')
  },
}
