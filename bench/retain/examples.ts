import { createUnderstanding } from '../../src/actions/understand.ts'
import { checkedAges } from '../../src/core/propose/retain/age-checks.ts'
import type { NeedFeatures } from '../../src/core/propose/retain/features.ts'
import { NeedTracker } from '../../src/core/propose/retain/need-tracker.ts'
import { createRecord } from '../../src/core/record/record.ts'
import { createOperations } from '../../src/core/track/operations.ts'
import type { MessageDraft } from '../../src/core/words/item.ts'
import type { Operation } from '../../src/core/words/operation.ts'
import type { BenchSession } from '../score/sources.ts'

/** A tool result at one age, and whether it was needed later. */
export interface Example {
  /** Sessions of one repository are never split between training and test. */
  readonly group: string
  readonly agent: string
  readonly session: string
  readonly item: number
  readonly features: NeedFeatures
  /** Its characters, and the request. */
  readonly size: number
  readonly turn: number
  /** Requests from this one on that show it. */
  readonly requestsLeft: number
  /** Actions from this request on that copied lines to edit, and identifiers, from it. */
  readonly anchors: number
  readonly names: number
}

/** The examples of a session: each result at each age. */
export function* examplesOf(session: BenchSession): Generator<Example> {
  const { recording, unpruned } = session
  const operations = createOperations(createUnderstanding({ cwd: recording.cwd }))
  const tracker = new NeedTracker()
  const record = createRecord()
  record.append(messagesOf(session))
  const lastShown = new Map<number, number>()
  for (const { n, view } of unpruned.requests)
    for (const { item, how } of view) if (how === 'full') lastShown.set(item.i, n)
  const needed = neededFrom(session)
  const due = new Map<number, Operation[]>()
  let next = 0
  for (const { n, known } of unpruned.requests) {
    for (; next < record.messages.length; next++) {
      const message = record.messages[next]
      if (message === undefined || (message.items[0]?.index ?? 0) >= known) break
      for (const operation of operations.observe(message)) {
        tracker.observe(operation, n)
        if (operation.status !== 'ok') continue
        for (const age of checkedAges) due.set(n + age, [...(due.get(n + age) ?? []), operation])
      }
      tracker.observeMessage(message)
    }
    for (const operation of due.get(n) ?? []) {
      const item = operation.result?.index ?? -1
      const last = lastShown.get(item) ?? 0
      const features = tracker.featuresOf(operation, n)
      if (features === null || last < n) continue
      const later = (needed.get(item) ?? []).filter((need) => need.n >= n)
      yield {
        group: repositoryOf(session),
        agent: agentOf(session),
        session: session.name,
        item,
        features,
        size: operation.result?.text.length ?? 0,
        turn: n,
        requestsLeft: last - n + 1,
        anchors: later.filter((need) => need.class === 'E1').length,
        names: later.filter((need) => need.class === 'E2').length,
      }
    }
  }
}

function messagesOf({ recording }: BenchSession): readonly MessageDraft[] {
  return recording.events.flatMap((event) => (event.kind === 'message' ? [event.message] : []))
}

/** For each result, the needs of which it is the newest holder, where only results hold what was needed. */
function neededFrom({
  unpruned,
  needs,
}: BenchSession): ReadonlyMap<number, readonly { readonly n: number; readonly class: string }[]> {
  const needed = new Map<number, { n: number; class: string }[]>()
  for (const need of needs.needs) {
    const holders = new Set<number>()
    for (const span of need.spans) {
      if (span.holders.some((holder) => unpruned.items[holder]?.kind !== 'result')) continue
      holders.add(Math.max(...span.holders))
    }
    for (const holder of holders)
      needed.set(holder, [...(needed.get(holder) ?? []), { n: need.n, class: need.class }])
  }
  return needed
}

/** The agent whose recording it is. */
export function agentOf({ recording }: Pick<BenchSession, 'recording'>): string {
  return recording.format
}

/** The repository, as far as the file's name or the working directory tells it, whatever the agent. */
export function repositoryOf({
  name,
  recording,
}: Pick<BenchSession, 'name' | 'recording'>): string {
  const file = name.split('/').slice(1).join('/') || name
  const issue = /([\w-]+__[\w-]+)-\d+/.exec(file)?.[1]
  const prefix = issue ?? file.replace(/[-_](?:ses_|[0-9a-f]{8}-).*$/, '')
  return prefix === file && recording.cwd !== null ? recording.cwd : prefix
}
