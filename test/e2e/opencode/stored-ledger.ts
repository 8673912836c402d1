import { join } from 'node:path'
import type { LedgerEntry } from '../../../src/core/words/ledger.ts'
import { readReceipt, type StoredReceipt } from '../../../src/report/request-receipt.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { Store, StoredSession } from '../../../src/store/store.ts'
import type { ServedSession } from './served-session.ts'

/** All that was decided in the conversation of a session that had only one. */
export async function storedLedger(session: ServedSession): Promise<readonly LedgerEntry[]> {
  const read = async (store: Store, summary: StoredSession): Promise<readonly LedgerEntry[]> =>
    (await store.load(summary)).ledger
  return (await ofConversation(session, read)) ?? []
}

/** The receipts of its requests. */
export async function storedReceipts(session: ServedSession): Promise<readonly StoredReceipt[]> {
  const receipts = await ofConversation(session, (store, summary) => store.receipts(summary))
  return (receipts ?? []).flatMap((each) => readReceipt(each) ?? [])
}

async function ofConversation<Value>(
  { home }: ServedSession,
  read: (store: Store, summary: StoredSession) => Promise<Value>,
): Promise<Value | undefined> {
  const store = await openStore({
    kind: 'sqlite',
    path: join(home, 'palimpsest', 'palimpsest.db'),
  })
  try {
    const [summary] = await store.sessions()
    return summary === undefined ? undefined : await read(store, summary)
  } finally {
    await store.close()
  }
}
