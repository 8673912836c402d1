import { signal } from '@preact/signals'
import {
  apiPaths,
  type ItemDetail,
  type SearchResult,
  type SessionDetail,
} from '../../../src/dashboard/types.ts'
import { get, report } from './api.ts'

/** Items whose whole text was searched for these words; null while the search runs. */
export const searched = signal<{ query: string; indices: ReadonlySet<number> | null }>({
  query: '',
  indices: null,
})

let timer: ReturnType<typeof setTimeout> | undefined

/** Searches the whole texts of a session, a moment after the last key. */
export function searchTexts(detail: SessionDetail, query: string): void {
  clearTimeout(timer)
  const words = query.trim()
  searched.value = { query: words, indices: null }
  if (words === '') return
  timer = setTimeout(async () => {
    const indices = await find(detail, words).catch(() => new Set<number>())
    if (searched.value.query === words) searched.value = { query: words, indices }
  }, 150)
}

async function find(detail: SessionDetail, words: string): Promise<ReadonlySet<number>> {
  if (report.value !== null) return findInReport(detail, words.toLowerCase())
  const { matches } = await get<SearchResult>(apiPaths.search(detail.key, words))
  return new Set(matches.map(({ index }) => index))
}

function findInReport(detail: SessionDetail, words: string): ReadonlySet<number> {
  const found = new Set<number>()
  for (const { index, handle } of detail.itemList) {
    const item = report.value?.answers[apiPaths.item(detail.key, handle)] as ItemDetail | undefined
    if (item?.text.toLowerCase().includes(words)) found.add(index)
  }
  return found
}
