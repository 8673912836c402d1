import { setImmediate, setTimeout } from 'node:timers/promises'
import { PalimpsestError } from '../../core/words/errors.ts'
import type { Claim } from '../extract/claim.ts'
import { claimsOf } from '../extract/claims-of-message.ts'
import type { Memory } from '../memory.ts'
import { heardText, type Message, observeClaims, type Place, safeMessage } from '../observe.ts'
import { indexItems } from '../resolve/candidates.ts'
import { indexStatements } from '../resolve/earlier-statements.ts'
import type { MemoryState } from '../state/memory-state.ts'
import { changeLines } from './change-lines.ts'
import type { Turn } from './new-turns.ts'

export interface ListenerOptions {
  /** Runs work on the memory, one piece at a time. */
  use<Result>(work: (memory: Memory) => Promise<Result>, owner: string | null): Promise<Result>
  /** Gets one line per change: `remembered: package manager pnpm (was npm) · undo 3f9a1c`. */
  onChange?(line: string): void
  onFault(fault: unknown): void
}

/** Reads the turns of live conversations into the memory. */
export interface Listener {
  /**
   * Returns at once and never throws. Each turn is read once, also by other processes and after a restart, into the memory
   * of the owner.
   */
  hear(turns: readonly Turn[], place: Place, owner?: string | null): void
  /** Resolves when everything that was heard has been read. */
  settle(): Promise<void>
}

/** How many ids are kept to recognise a turn without opening the memory. */
const mostRecent = 5_000

export function createListener({ use, onChange, onFault }: ListenerOptions): Listener {
  let work: Promise<void> = Promise.resolve()
  const recent = new Set<string>()
  return {
    hear(turns, place, owner = null) {
      const nameOf = ({ id }: Message): string => JSON.stringify([id, owner])
      const fresh = turns.filter((turn) => !recent.has(nameOf(turn)))
      if (fresh.length === 0) return
      if (recent.size > mostRecent) recent.clear()
      for (const turn of fresh) recent.add(nameOf(turn))
      work = work
        // The request that brought the turns is handled first.
        .then(() => setImmediate())
        .then(() =>
          use(async (memory) => {
            for (const turn of fresh) {
              if (wasHeard(memory.state, turn, place)) continue
              await indexMemory(memory)
              const claims = claimsOfTurn(memory, turn)
              await setImmediate()
              for (const line of await hearWhenFree(memory, turn, place, claims)) onChange?.(line)
            }
            await memory.save()
          }, owner),
        )
        .catch((fault: unknown) => {
          // A client sends its turns again with every request, so they can be read then.
          for (const turn of fresh) recent.delete(nameOf(turn))
          onFault(fault)
        })
    },
    settle: () => work,
  }
}

/** How long the event loop is blocked at a time. */
const sliceMs = 5

/** Indexes the stored items and messages in slices, and lets other work run in between. */
async function indexMemory(memory: Memory): Promise<void> {
  for (let isReady = false; !isReady; ) {
    await setImmediate()
    const until = performance.now() + sliceMs
    const isDue = (): boolean => performance.now() >= until
    const { state } = memory
    isReady = indexItems(state, isDue) && indexStatements(state, isDue)
  }
}

/** How long a turn waits for other processes that write, and how often it tries. */
const longestWaitMs = 60_000
const retryMs = 50

/** Waits for other processes that write. It does not block, because this process answers requests meanwhile. */
async function hearWhenFree(
  memory: Memory,
  turn: Turn,
  place: Place,
  claims: readonly Claim[],
): Promise<readonly string[]> {
  const until = performance.now() + longestWaitMs
  for (;;) {
    try {
      return memory.withoutWaiting(() => hearTurn(memory, turn, place, claims))
    } catch (fault) {
      const isLocked = PalimpsestError.is(fault) && fault.code === 'store-locked'
      if (!isLocked || performance.now() >= until) throw fault
      await setTimeout(retryMs)
    }
  }
}

function claimsOfTurn(memory: Memory, turn: Message): readonly Claim[] {
  const { role, text, at } = safeMessage(turn)
  if (role !== 'user' && role !== 'assistant') return []
  const now = memory.now()
  return claimsOf(text, role, Math.min(at ?? now, now))
}

/** Whether a turn was read before, also when a compacted history repeats it without the answers between. */
function wasHeard(state: MemoryState, turn: Turn, { session }: Place): boolean {
  if (state.hasHeard(turn.id)) return true
  if (turn.isOpening !== true) return false
  const text = heardText(turn)
  for (const heard of state.heard.values())
    if (heard.session === session && heard.role === turn.role && heard.text === text) return true
  return false
}

/** Reads one turn, unless any process has read it before. Returns the changes as lines. */
export function hearTurn(
  memory: Memory,
  turn: Turn,
  place: Place,
  claims: readonly Claim[] = claimsOfTurn(memory, turn),
): readonly string[] {
  if (wasHeard(memory.state, turn, place)) return []
  // The mark and the changes are one write, so a killed process neither loses a turn nor reads it twice.
  const changes = memory.together(() =>
    wasHeard(memory.state, turn, place)
      ? []
      : observeClaims(memory, turn, place, { corrections: [], claims }).changes,
  )
  return changeLines(memory.state, changes)
}
