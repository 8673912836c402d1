import { join } from 'node:path'
import type { LedgerEntry } from '../../../src/core/words/ledger.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { ServedSession } from './served-session.ts'

/** All that was decided in the conversation of a session that had only one. */
export async function storedLedger({ home }: ServedSession): Promise<readonly LedgerEntry[]> {
  const store = await openStore({
    kind: 'sqlite',
    path: join(home, 'palimpsest', 'palimpsest.db'),
  })
  try {
    const [summary] = await store.sessions()
    return summary === undefined ? [] : (await store.load(summary)).ledger
  } finally {
    await store.close()
  }
}
