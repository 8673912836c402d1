import path from 'node:path'
import { errorMessage } from '../core/words/errors.ts'
import { withoutSecretsIn } from '../core/words/secrets.ts'
import type { RequestReport } from '../gateway/index.ts'
import { appendPrivateLine } from '../store/private-json-lines.ts'
import { type Terminal, writeNotice } from './terminal.ts'

/**
 * Appends each request to a file as a line of JSON: sizes, usage, times and names, no texts and no keys. The file is opened for
 * each line, so that a log may be moved away at any time. A file that cannot be written is reported once.
 */
export function openReceiptLog(
  terminal: Terminal,
  file: string | undefined,
): (report: RequestReport) => void {
  if (file === undefined) return () => {}
  const target = path.resolve(terminal.cwd, file)
  let isReported = false
  return (report) => {
    try {
      const time = new Date(report.at ?? terminal.now()).toISOString()
      appendPrivateLine(target, { time, ...(withoutSecretsIn(report) as object) })
      isReported = false
    } catch (error) {
      if (isReported) return
      isReported = true
      const reason = errorMessage(error)
      writeNotice(terminal, `palimpsest: the log ${target} cannot be written: ${reason}`)
    }
  }
}
