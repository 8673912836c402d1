import { type Signal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get, RequestFailure } from './api.ts'

export type Answer<Data> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly data: Data }
  | { readonly kind: 'failed'; readonly status: number; readonly message: string }

/** Answers by address, so that going back shows a view at once while it is loaded again. */
const known = new Map<string, Signal<Answer<unknown>>>()

/** The answer of a GET route. It is read when a view first asks, and again with `refresh`. */
export function useAnswer<Data>(path: string): Answer<Data> {
  useEffect(() => {
    void refresh(path)
  }, [path])
  return entry(path).value as Answer<Data>
}

export async function refresh(path: string): Promise<void> {
  const answer = entry(path)
  try {
    answer.value = { kind: 'ready', data: await get(path) }
  } catch (fault) {
    const status = fault instanceof RequestFailure ? fault.status : 0
    const message = fault instanceof Error ? fault.message : String(fault)
    // An older answer is more useful than an error.
    if (answer.value.kind !== 'ready' || status !== 0)
      answer.value = { kind: 'failed', status, message }
  }
}

/** Updates a cached answer, for example after a live event. */
export function update<Data>(path: string, change: (data: Data) => Data): void {
  const answer = known.get(path)
  if (answer?.value.kind !== 'ready') return
  answer.value = { kind: 'ready', data: change(answer.value.data as Data) }
}

/** Whether a view has read this address. */
export function isKnown(path: string): boolean {
  return known.has(path)
}

function entry(path: string): Signal<Answer<unknown>> {
  const found = known.get(path) ?? signal<Answer<unknown>>({ kind: 'loading' })
  known.set(path, found)
  return found
}
