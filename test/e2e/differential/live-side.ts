import { createRecord } from '../../../src/core/record/record.ts'
import type { Message, MessageDraft } from '../../../src/core/words/item.ts'
import type { BodyFormatName } from '../../../src/formats/format.ts'
import { bodyFormats } from '../../../src/formats/index.ts'
import { workingDirectoryIn } from '../../../src/gateway/working-directory.ts'
import { historiesOf, type LoadedSession, openStore } from '../../../src/store/index.ts'
import type { LoggedRequest } from '../../model/server.ts'
import { decisionsIn, followHistory, namesOf, type SeenRequest, type Side } from './side.ts'

export interface LiveSide extends Side {
  /** The messages of the last request. */
  readonly history: readonly MessageDraft[]
}

/** What the gateway recorded and decided, from its store, and what arrived at the model. */
export async function liveSide(
  store: string,
  requests: readonly LoggedRequest[],
  format: BodyFormatName,
): Promise<LiveSide> {
  const { messages, ledger } = await longestSession(store)
  const record = createRecord()
  let history: readonly Message[] = []
  for (const drafts of messages) history = record.history(record.append(drafts).anchor)
  const turns = requests.filter(({ kind }) => kind === 'turn')
  const reads = turns.map(({ body }) => bodyFormats[format].read(body))
  const cwd = reads[0] === undefined ? null : workingDirectoryIn(reads[0])
  return {
    history: messages.at(-1) ?? [],
    ...followHistory(history, cwd),
    ...decisionsIn(ledger, record.items, namesOf(history)),
    requests: reads.map((read) => shownIn(read.messages)),
  }
}

interface StoredHistory {
  readonly messages: readonly (readonly MessageDraft[])[]
  readonly ledger: LoadedSession['ledger']
}

/** The conversation itself; questions beside it have sessions of their own. */
async function longestSession(path: string): Promise<StoredHistory> {
  const store = await openStore({ kind: 'sqlite', path })
  try {
    const sessions = [...(await store.sessions())].sort((a, b) => b.items - a.items)
    const [longest] = sessions
    if (longest === undefined) throw new Error('the gateway stored no session')
    const loaded = await store.load(longest)
    return { messages: historiesOf(loaded), ledger: loaded.ledger }
  } finally {
    await store.close()
  }
}

function shownIn(messages: readonly MessageDraft[]): SeenRequest {
  const shown = new Map<string, string>()
  const calls = new Map<string, number>()
  for (const item of messages.flatMap(({ items }) => items)) {
    if (item.kind === 'call') calls.set(item.call, calls.size + 1)
    if (item.kind === 'call' || item.kind === 'result')
      shown.set(`${item.kind} ${calls.get(item.call)}`, item.text)
  }
  return shown
}
