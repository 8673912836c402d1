import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isShortRun } from '../../../../test/e2e/installed-client.ts'
import {
  engineFor,
  lines,
  messagesOf,
  only,
  outcomeOf,
  type ToldCall,
  type ToldTurn,
  tell,
} from '../../../../test/engine/told-session.ts'
import { replacementOf } from '../../../report/chains.ts'
import type { Engine } from '../../engine.ts'
import type { Decision } from '../../words/decision.ts'
import type { Item } from '../../words/item.ts'
import type { Settings } from '../../words/settings.ts'

const paths = ['a.ts', 'b.ts'] as const
const path = fc.constantFrom(...paths)
const offset = fc.constantFrom(1, 50, 100)

type Call = Omit<ToldCall, 'id'>
const output = fc.constantFrom(lines(1, 9), lines(1, 8), 'short', '')

const inputs: fc.Arbitrary<Pick<Call, 'tool' | 'input'>> = fc.oneof(
  path.map((filePath) => ({ tool: 'read', input: { filePath } })),
  fc
    .tuple(path, offset)
    .map(([filePath, from]) => ({ tool: 'read', input: { filePath, offset: from, limit: 9 } })),
  path.map((filePath) => ({ tool: 'write', input: { filePath, content: lines(1, 9) } })),
  path.map((filePath) => ({
    tool: 'edit',
    input: { filePath, oldString: 'line 1', newString: 'line one' },
  })),
  fc
    .constantFrom(
      'cat a.ts',
      'cat a.ts b.ts',
      'ls',
      'git status',
      'npm test',
      "sed -i 's/a/b/' a.ts",
    )
    .map((command) => ({ tool: 'bash', input: { command } })),
  fc.constantFrom('x', 'y').map((pattern) => ({ tool: 'grep', input: { pattern } })),
  fc.constantFrom('x', 'y').map((page) => ({
    tool: 'webfetch',
    input: { url: `https://docs.test/${page}` },
  })),
  fc
    .constantFrom('One', 'Two')
    .map((content) => ({ tool: 'todowrite', input: { todos: [{ content }] } })),
  fc.constant({ tool: 'todoread', input: {} }),
  fc.constant({ tool: 'snapshot', input: {} }),
  fc.constant({ tool: 'context_info', input: {} }),
  fc.tuple(fc.string(), fc.oneof(fc.string(), fc.json())).map(([tool, input]) => ({ tool, input })),
)

const call: fc.Arbitrary<Call> = fc
  .record({ about: inputs, output, status: fc.constantFrom('ok', 'ok', 'ok', 'error', 'running') })
  .map(({ about, ...result }) => ({ ...about, ...result }) as Call)

const session: fc.Arbitrary<readonly ToldTurn[]> = fc
  .array(fc.array(call, { maxLength: 3 }), { maxLength: 25 })
  .map((turns) =>
    turns.map((turn, at) => turn.map((each, which) => ({ id: `c${at}-${which}`, ...each }))),
  )

const settings: fc.Arbitrary<Settings> = fc
  .record({
    files: fc.constantFrom('one-view', 'overwrite', 'supersede-reads', 'first-last', 'none'),
    deduplication: fc.record({
      enabled: fc.boolean(),
      mode: fc.constantFrom('supersede', 'pointer'),
      protectedTools: fc.constant([]),
    }),
    turnProtection: fc.constantFrom(0, 0, 3),
    pruneToolInputs: fc.boolean(),
    supersedeWrites: fc.boolean(),
  })
  .map((some) =>
    only({
      ...some,
      todoSupersede: true,
      contextSupersede: true,
      searchSupersede: true,
      pruneSourceUrls: true,
      stateQuerySupersede: true,
      pruneSnapshots: true,
      pruneRetryParts: true,
    } as Partial<Settings>),
  )

function resultOf(engine: Engine, index: number | null): Item & { readonly kind: 'result' } {
  const item = engine.record.items[index ?? -1]
  if (item?.kind !== 'result') throw new Error(`item ${index} is no result`)
  return item
}

/** What a decision breaks of the rules that hold for all kinds. */
function broken(decision: Decision, engine: Engine): string | null {
  // A call whose result is too short to be replaced is superseded by its input alone.
  if (decision.reason === 'input' || decision.rendition.how === 'stripped') return null
  const item = resultOf(engine, decision.item)
  const by = resultOf(engine, decision.by)
  if (by.status !== 'ok') return 'replaced by a call that did not succeed'
  if ((item.status === 'error') !== (decision.reason === 'retry')) return 'a failure, and no retry'
  if (decision.rendition.how === 'superseded' && by.turn <= item.turn) return 'not by a later turn'
  if (decision.rendition.how === 'pointer' && by.turn === item.turn) return 'points into its turn'
  const end = replacementOf(engine.ledger, decision.item).at(-1)
  return end === undefined || engine.ledger.of(end) !== undefined ? 'leads to nothing' : null
}

describe('every decision of every strategy', () => {
  it('keeps to the rules that hold for all of them', () => {
    fc.assert(
      fc.property(session, settings, (turns, configured) => {
        const engine = engineFor(configured)
        engine.request(messagesOf(turns))
        const { decisions } = outcomeOf(engine)
        expect(decisions.flatMap((each) => broken(each, engine) ?? [])).toEqual([])
      }),
      { numRuns: isShortRun ? 500 : 1000 },
    )
  })

  it('leaves the newest list and the newest read of it in full', () => {
    fc.assert(
      fc.property(session, settings, (turns, configured) => {
        const { results } = tell(turns, configured)
        for (const tool of ['todowrite', 'todoread']) {
          const newest = turns
            .flat()
            .findLast((each) => each.tool === tool && (each.status ?? 'ok') === 'ok')
          expect(newest && results[newest.id]).toBeUndefined()
        }
      }),
      { numRuns: 200 },
    )
  })

  it('is the same, however many requests come at once', () => {
    fc.assert(
      fc.property(session, settings, (turns, configured) => {
        const atOnce = engineFor(configured)
        atOnce.request(messagesOf(turns))
        expect(outcomeOf(atOnce).decisions).toEqual(tell(turns, configured).decisions)
      }),
      { numRuns: 200 },
    )
  })
})

/** Every kind alone, in the documented order of the passes. */
const passes: readonly Settings[] = [
  only({ deduplication: { enabled: true, mode: 'supersede', protectedTools: [] } }),
  only({ files: 'one-view' }),
  only({ todoSupersede: true }),
  only({ pruneSourceUrls: true }),
  only({ searchSupersede: true }),
  only({ stateQuerySupersede: true }),
  only({ pruneSnapshots: true }),
  only({ pruneRetryParts: true }),
]
const allKinds: Settings = only({
  deduplication: { enabled: true, mode: 'supersede', protectedTools: [] },
  files: 'one-view',
  todoSupersede: true,
  pruneSourceUrls: true,
  searchSupersede: true,
  stateQuerySupersede: true,
  pruneSnapshots: true,
  pruneRetryParts: true,
})

describe('kinds that are tried call by call', () => {
  /** All requests at once, which is the same as one by one. */
  const decide = (turns: readonly ToldTurn[], configured: Settings): readonly Decision[] => {
    const engine = engineFor(configured)
    engine.request(messagesOf(turns))
    return outcomeOf(engine).decisions
  }
  const hidden = (turns: readonly ToldTurn[], configured: Settings): readonly string[] =>
    decide(turns, configured)
      .map(({ handle }) => handle)
      .toSorted()

  it('hide together what one pass for each kind over all calls would hide', () => {
    fc.assert(
      fc.property(session, (turns) => {
        const byPasses = passes.flatMap((pass) => hidden(turns, pass))
        expect(hidden(turns, allKinds)).toEqual([...new Set(byPasses)].toSorted())
      }),
      { numRuns: isShortRun ? 150 : 300 },
    )
  })

  it('name the first kind in the order of the passes, of those that apply at that request', () => {
    const oneByOne = session.map((turns) => turns.map((turn) => turn.slice(0, 1)))
    fc.assert(
      fc.property(oneByOne, (turns) => {
        const alone = passes.flatMap((pass) => decide(turns, pass))
        for (const { handle, turn, reason } of decide(turns, allKinds)) {
          const applying = alone.filter((each) => each.handle === handle)
          const earliest = Math.min(...applying.map((each) => each.turn))
          const first = applying.find((each) => each.turn === earliest)
          expect({ handle, turn, reason }).toEqual({
            handle,
            turn: earliest,
            reason: first?.reason,
          })
        }
      }),
      { numRuns: isShortRun ? 150 : 300 },
    )
  })
})
