import { createRecord } from '../src/core/record/record.ts'
import type { MessageDraft } from '../src/core/words/item.ts'
import type { BenchRow } from './bench-row.ts'

const turn = (n: number): MessageDraft[] => {
  const id = `call-${String(n).padStart(8, '0')}`
  return [
    {
      role: 'assistant',
      items: [{ kind: 'call', tool: 'read', call: id, text: '{"path":"src/app.ts"}' }],
    },
    {
      role: 'tool',
      items: [
        { kind: 'result', tool: 'read', call: id, status: 'ok', text: 'const a = 1\n'.repeat(20) },
      ],
    },
  ]
}

/** Counts the operations of one more turn on a long record, compared with a short one. */
export async function benchRecord(): Promise<readonly BenchRow[]> {
  const [short, long] = [500, 50_000].map((items) => {
    const history = Array.from({ length: items / 2 + 1 }, (_, n) => turn(n)).flat()
    const record = createRecord()
    const { anchor } = record.append(history.slice(0, items))
    const before = record.work
    record.append(history, anchor)
    return {
      items: record.work.itemsVisited - before.itemsVisited,
      characters: record.work.charactersHashed - before.charactersHashed,
    }
  })
  if (short === undefined || long === undefined) return []
  return [
    {
      name: 'record: items visited for a turn, 50,000 against 500',
      ratio: long.items / short.items,
      limit: 1,
      better: 'below',
    },
    {
      name: 'record: characters hashed for a turn, 50,000 against 500',
      ratio: long.characters / short.characters,
      limit: 1,
      better: 'below',
    },
  ]
}
