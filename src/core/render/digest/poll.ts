import { cut } from '../marks.ts'
import type { OutputKind } from './output.ts'

const figures =
  /^(?:Chunk ID: .*|Wall time: .*|Original token count: \d+|Total output lines: \d+|Output:)$/
const state =
  /^(?:Process exited with code -?\d+|Process running with session ID .*|Exit code: -?\d+)$/

/** A poll of a running command without new output: it says only whether the command still runs. */
export const poll: OutputKind = {
  kind: 'poll',
  bestFit: 1,
  fits({ source: { action }, lines }) {
    if (action?.kind !== 'shell' || lines.length > 9) return 0
    const filled = lines.filter((line) => line.trim() !== '')
    const isFrame = filled.every((line) => figures.test(line) || state.test(line))
    return isFrame && filled.some((line) => state.test(line)) ? 1 : 0
  },
  digest({ lines }, { recall }) {
    return [...lines.filter((line) => state.test(line)), cut.noOutput(recall)].join('\n')
  },
}
