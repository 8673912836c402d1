import { computed, signal } from '@preact/signals'
import { takeToken } from './api.ts'

/** The current address: `#/sessions/12/files?at=3` is the path `sessions, 12, files` with `at=3`. */
export interface Place {
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

const hash = signal(location.hash)

window.addEventListener('hashchange', readPlace)

/** Reads the address again, after it was changed without an event. */
export function readPlace(): void {
  if (location.hash.startsWith('#token=')) takeToken()
  hash.value = location.hash
}

export const place = computed<Place>(() => {
  const [path = '', query = ''] = hash.value.replace(/^#\/?/, '').split('?', 2)
  return {
    path: path.split('/').filter(Boolean).map(decoded),
    query: new URLSearchParams(query),
  }
})

/** The address of a view. */
export function linkTo(
  path: readonly string[],
  query: Record<string, string | number> = {},
): string {
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value)])
  const search = new URLSearchParams(pairs).toString()
  return `#/${path.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`
}

/** Changes the query in place, without a step in the browser's history. */
export function setQuery(changes: Record<string, string | number | null>): void {
  const { path, query } = place.peek()
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name)
    else next.set(name, String(value))
  }
  history.replaceState(null, '', linkTo(path, Object.fromEntries(next)))
  hash.value = location.hash
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
