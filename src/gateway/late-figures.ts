import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionWriter } from '../store/index.ts'

/**
 * Writes what is known of answers, a moment after they are over: a session that goes on at once has it written together
 * with its next turn. What later requests depend on does not wait.
 */
export interface LateFigures {
  /** Something was noted that is to be written. */
  noted(writer: SessionWriter): void
  /** Writes what was noted for one session now. Never rejects, and gives up waiting where the store takes long. */
  write(writer: SessionWriter): Promise<void>
  /** Writes all of it now. Never rejects. */
  settle(): Promise<void>
}

const delayMs = 100
/** An answer is not held up for longer. */
const patienceMs = 500

export function createLateFigures(onFault: (fault: unknown) => void): LateFigures {
  const waiting = new Set<SessionWriter>()
  let timer: NodeJS.Timeout | null = null

  async function flush(writer: SessionWriter): Promise<void> {
    try {
      await writer.flush()
    } catch (fault) {
      onFault(fault)
    }
  }

  async function settle(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const writers = [...waiting]
    waiting.clear()
    for (const writer of writers) await flush(writer)
  }

  return {
    noted(writer) {
      waiting.add(writer)
      timer ??= setTimeout(settle, delayMs)
    },
    async write(writer) {
      const isLate = new AbortController()
      const late = sleep(patienceMs, undefined, { signal: isLate.signal }).catch(() => {})
      await Promise.race([flush(writer), late])
      isLate.abort()
    },
    settle,
  }
}
