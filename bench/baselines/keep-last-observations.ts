import type { Policy } from '../score/policy.ts'
import type { Rendition } from '../score/session.ts'
import { resultsIn, type StandIn, showWith } from './stand-in.ts'

interface KeepLastOptions {
  readonly name: string
  readonly keep: number
  /** How many new observations there are between two changes of the history. */
  readonly polling: number
  /** Keeps results that the elision would make longer. SWE-agent itself elides them too. */
  readonly neverLonger?: true
}

/**
 * SWE-agent's `LastNObservations`. It counts the task as the first observation, and never elides that one. Each
 * request is computed from the whole history.
 */
export function keepLastObservations(options: KeepLastOptions): Policy {
  const { name, keep, polling, neverLonger = false } = options
  return {
    name,
    source: 'SWE-agent, sweagent/agent/history_processors.py, LastNObservations',
    parameters: `n=${keep}, polling=${polling}${neverLonger ? ', never longer' : ''}`,
    begin: () => (request) => {
      const standIns = new Map<number, StandIn>()
      for (const result of elidedResults(request.view, { keep, polling })) {
        const standIn = elision(result)
        if (neverLonger && standIn.text.length >= result.text.length) continue
        standIns.set(result.item.i, standIn)
      }
      return showWith(request.view, standIns)
    },
  }
}

/** The results that the rule elides from a view, oldest first. */
export function elidedResults(
  view: readonly Rendition[],
  { keep, polling }: Pick<KeepLastOptions, 'keep' | 'polling'>,
): readonly Rendition[] {
  const results = resultsIn(view)
  const observations = results.length + 1
  const elided = Math.floor(observations / polling) * polling - keep
  return results.slice(0, Math.max(0, elided - 1))
}

/** SWE-agent's text for an elided observation. */
export function elision({ text }: Rendition): StandIn {
  const lines = text.replace(/\r?\n$/, '').split('\n').length
  return { how: 'discarded', text: `Old environment output: (${lines} lines omitted)` }
}

export const keepLast10: Policy = keepLastObservations({
  name: 'keep-last-10',
  keep: 10,
  polling: 1,
})

export const keepLast10Polled: Policy = keepLastObservations({
  name: 'keep-last-10-poll20',
  keep: 10,
  polling: 20,
})
