import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises'
import type { EngineMaker } from '../../config/engine-maker.ts'
import type { LedgerEntry } from '../../core/words/ledger.ts'
import { setRecent } from '../../core/words/recent.ts'
import type { Settings } from '../../core/words/settings.ts'
import type { Work } from '../../core/words/work.ts'
import { bodyFormats } from '../../formats/index.ts'
import { type SentMessage, sentMessages } from '../../session/placement.ts'
import type { Store } from '../../store/store.ts'
import type { IncomingRequest } from '../decide.ts'
import type { Decided } from '../decided.ts'
import { checkRequest } from './check-request.ts'
import { checkSession } from './check-session.ts'
import { type Breach, type Sample, sampleOf } from './sample.ts'

export interface VerifierOptions {
  readonly store: Store
  readonly maker: EngineMaker
  /** Writes what is queued for the store. */
  settle(): Promise<void>
  /** Gets every request that was checked, with the promises that it broke. */
  onVerified(breaches: readonly Breach[]): void
  onFault(fault: unknown): void
  /** How much of a processor checks may take; a tenth when left out. */
  readonly share?: number
  /** How long a check waits, so that the request is on its way; 20 when left out. */
  readonly delayMs?: number
}

export interface Verifier {
  /** The same decisions. Some of them are checked afterwards. */
  watching(
    decide: (request: IncomingRequest) => Promise<Decided>,
  ): (request: IncomingRequest) => Promise<Decided>
  /** Waits for the check that is running. */
  settle(): Promise<void>
}

/** Checking a larger request would delay others. */
const largestBytes = 4 * 1024 * 1024
/** How many branches are compared with their last checked request. */
const mostBranches = 200

/** A checked request, as hashes of its messages. */
interface Before {
  readonly original: readonly SentMessage[]
  readonly sent: readonly SentMessage[]
  readonly epochs: string
}

/** Whether an entry says that bytes which were sent before may change. */
function isDeclared(entry: LedgerEntry): boolean {
  if (entry.kind === 'decision') return entry.reason === 'agent' || entry.reason === 'user'
  return entry.kind === 'epoch' || entry.kind === 'revert'
}

async function inSteps<Result>(work: Work<Result>): Promise<Result> {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    await nextRound()
  }
}

/** Checks decisions after they were sent. It changes nothing: a broken promise is counted and reported. */
export function createVerifier(options: VerifierOptions): Verifier {
  const { store, maker, share = 0.1, delayMs = 20 } = options
  const checkAppended = appendOnlyCheck(maker.settings.schedule)
  let running: Promise<void> | null = null
  let nextAt = 0

  async function check(sample: Sample): Promise<void> {
    await sleep(delayMs)
    const from = performance.now()
    try {
      const breaches = [...checkRequest(sample, maker.settings), ...checkAppended(sample)]
      await nextRound()
      await options.settle()
      if (sample.isStored)
        breaches.push(...((await checkSession(sample, { store, maker }, inSteps)) ?? []))
      options.onVerified(breaches)
    } finally {
      const now = performance.now()
      nextAt = now + (1 / share - 1) * (now - from)
    }
  }

  return {
    watching: (decide) => async (request) => {
      const decided = await decide(request)
      const isDue = running === null && performance.now() >= nextAt
      if (!isDue || request.body.length > largestBytes) return decided
      try {
        const sample = sampleOf(request, decided)
        if (sample === null) return decided
        running = check(sample)
          .catch(options.onFault)
          .finally(() => {
            running = null
          })
      } catch (fault) {
        options.onFault(fault)
      }
      return decided
    },
    async settle() {
      await running
    },
  }
}

/**
 * Checks that what was sent before is sent the same way again, unless an epoch was declared since. Remembers the last
 * checked request of each branch.
 */
function appendOnlyCheck(schedule: Settings['schedule']): (sample: Sample) => readonly Breach[] {
  const befores = new Map<number, Before>()
  return ({ format, original, sent, session, ledger }) => {
    const now: Before = {
      original: sentMessages(original.messages, []),
      sent: sentMessages(bodyFormats[format].read(sent).messages, []),
      epochs: JSON.stringify(ledger.filter(isDeclared)),
    }
    const before = befores.get(session.number)
    setRecent(befores, session.number, now, mostBranches)
    if (schedule === 'eager' || before === undefined) return []
    if (before.epochs !== now.epochs) return []
    for (const [at, { hash }] of before.original.entries()) {
      if (now.original[at]?.hash !== hash) break
      if (now.sent[at]?.hash !== before.sent[at]?.hash)
        return [{ promise: 'append-only', message: `message ${at} changed without an epoch` }]
    }
    return []
  }
}
