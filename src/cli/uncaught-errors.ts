import { type Terminal, writeNotice } from './terminal.ts'

/**
 * Keeps an uncaught error from ending the gateway and its open streams: logs it in one line and counts it. Other requests
 * are safe, because each turn is one transaction of the store.
 *
 * @returns a function that removes the handlers.
 */
export function catchUncaught(terminal: Terminal, count: () => void): () => void {
  const survive = (error: unknown): void => {
    count()
    writeNotice(terminal, `palimpsest: an unexpected error, still serving: ${lineOf(error)}`)
  }
  // A closed log must not become the next error.
  const ignore = (): void => {}
  process.on('uncaughtException', survive).on('unhandledRejection', survive)
  terminal.err.on('error', ignore)
  return () => {
    process.off('uncaughtException', survive).off('unhandledRejection', survive)
    terminal.err.off('error', ignore)
  }
}

/** The message, and where it was thrown. */
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [place = ''] = /at .*/.exec(error.stack ?? '') ?? []
  return `${String(error)} ${place}`.replace(/\s+/g, ' ')
}
