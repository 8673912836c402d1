import type { SessionWriter } from '../store/index.ts'

/**
 * Writes what is known of answers, a moment after they are over. Hardly anything that goes out depends on it, and a session
 * that goes on at once has it written together with its next turn.
 */
export interface LateFigures {
  /** Something was noted that is to be written. */
  noted(writer: SessionWriter): void
  /** Writes all of it now. Never rejects. */
  settle(): Promise<void>
}

const delayMs = 100

export function createLateFigures(onFault: (fault: unknown) => void): LateFigures {
  const waiting = new Set<SessionWriter>()
  let timer: NodeJS.Timeout | null = null

  async function settle(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const writers = [...waiting]
    waiting.clear()
    for (const writer of writers) {
      try {
        await writer.flush()
      } catch (fault) {
        onFault(fault)
      }
    }
  }

  return {
    noted(writer) {
      waiting.add(writer)
      timer ??= setTimeout(settle, delayMs)
    },
    settle,
  }
}
