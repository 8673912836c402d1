import type { Terminal } from './terminal.ts'
import { visible } from './visible-text.ts'

const quietMs = 1000
const redrawMs = 100
const width = 24

/** Shows how far long work is, on standard error, once it has taken longer than a second. */
export interface Progress {
  advance(units: number, label: string): void
  end(): void
}

export function createProgress(terminal: Terminal, total: number): Progress {
  const started = terminal.now()
  let done = 0
  let drawnAt: number | null = null
  return {
    advance(units, label) {
      done += units
      const now = terminal.now()
      if (now - started < quietMs) return
      // A log gets a line a second, a person's terminal one line that moves.
      const pause = terminal.watched ? redrawMs : quietMs
      if (drawnAt !== null && now - drawnAt < pause) return
      drawnAt = now
      const share = total > 0 ? Math.min(1, done / total) : 0
      const filled = Math.round(share * width)
      const bar = `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`
      const text = `${bar} ${String(Math.round(share * 100)).padStart(3)} %  ${visible(label)}`
      terminal.err.write(
        terminal.watched ? `\r\x1b[K${text.slice(0, terminal.columns)}` : `${text}\n`,
      )
    },
    end() {
      if (drawnAt !== null && terminal.watched) terminal.err.write('\r\x1b[K')
    },
  }
}
