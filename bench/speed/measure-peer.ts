import type { Pruner } from './host.ts'
import { processorMs } from './processor-time.ts'
import { createGrowingSession, sessionId } from './session.ts'

/** The times of a peer, which may take minutes. */
export type PeerReport =
  | { readonly kind: 'resume'; readonly ms: number }
  | { readonly kind: 'turn'; readonly ms: number }

/** Resumes a session once and continues it by one step. Reports each time as soon as it is measured. */
export async function measurePeer(
  pruner: Pruner,
  calls: number,
  tell: (report: PeerReport) => void,
): Promise<void> {
  const session = createGrowingSession()
  session.grow(calls)
  const messages = (): unknown[] => JSON.parse(session.json()) as unknown[]
  const opened = await pruner.open(sessionId)
  const timed = async (kind: PeerReport['kind']): Promise<void> => {
    const list = messages()
    tell({ kind, ms: await processorMs(() => opened.beforeRequest(list)) })
  }
  await timed('resume')
  session.grow(1)
  await timed('turn')
}
