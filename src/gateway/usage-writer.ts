import type { SessionWriter } from '../store/index.ts'

/**
 * Writes the usage of answers to the store shortly after they end. A session that continues at once has it written with
 * its next turn.
 */
export interface UsageWriter {
  /** Schedules a flush of this writer. */
  writeSoon(writer: SessionWriter): void
  /** Writes everything now. Never rejects. */
  settle(): Promise<void>
}

const delayMs = 100

export function createUsageWriter(onFault: (fault: unknown) => void): UsageWriter {
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
    writeSoon(writer) {
      waiting.add(writer)
      timer ??= setTimeout(settle, delayMs)
    },
    settle,
  }
}
