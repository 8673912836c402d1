import { type Terminal, writeNotice } from './terminal.ts'

/**
 * Keeps an error that nothing caught from ending the gateway, and every open stream with it: it is logged in one line and
 * counted. What it belonged to may be left unfinished; other requests share no state that it could leave half written,
 * because each turn is one transaction of the store. Running out of memory ends the process all the same.
 *
 * @returns what puts things back.
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
