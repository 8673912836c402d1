import type { Terminal } from './terminal.ts'
import { visible } from './visible-text.ts'

/** Milliseconds until the first update, and between updates. */
const bar = { first: 1000, next: 100 }
const log = { first: 10_000, next: 10_000 }
const width = 24

/** Shows progress on standard error: a bar in a terminal, a line now and then in a log. */
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
      const { first, next } = terminal.watched ? bar : log
      if (drawnAt === null ? now - started < first : now - drawnAt < next) return
      drawnAt = now
      const share = total > 0 ? Math.min(1, done / total) : 0
      const percent = Math.round(share * 100)
      if (!terminal.watched) {
        terminal.err.write(`palimpsest: ${percent} % done, at ${visible(label)}\n`)
        return
      }
      const filled = Math.round(share * width)
      const drawn = `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`
      const text = `${drawn} ${String(percent).padStart(3)} %  ${visible(label)}`
      terminal.err.write(`\r\x1b[K${text.slice(0, terminal.columns)}`)
    },
    end() {
      if (drawnAt !== null && terminal.watched) terminal.err.write('\r\x1b[K')
    },
  }
}
