import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isShortRun } from '../../test/e2e/installed-client.ts'
import type { Shown } from '../score/policy.ts'
import { baselines } from './index.ts'
import { requestsOf, type ScriptedTurn, showScript } from './scripted-requests.ts'

const call = fc.record({
  tool: fc.constantFrom('read', 'bash', 'edit', 'skill', 'ask_user'),
  input: fc.record({ path: fc.constantFrom('a', 'b', 'c') }),
  // Sizes from nothing to what passes the triggers of all of them within a few calls.
  result: fc
    .tuple(fc.constantFrom('x', 'y\n'), fc.constantFrom(0, 1, 60, 9_000, 200_000))
    .map(([text, times]) => text.repeat(times)),
  status: fc.constantFrom('ok' as const, 'error' as const),
})
// Pauses from none to what every policy that waits for one takes as idle.
const afterSeconds = fc.constantFrom(0, 400, 4_000)
const turn = fc.oneof(
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.string({ minLength: 1 }), afterSeconds)
      .map(([user, pause]): ScriptedTurn => ({ user, afterSeconds: pause })),
  },
  {
    weight: 4,
    arbitrary: fc
      .array(call, { minLength: 1, maxLength: 3 })
      .map((calls): ScriptedTurn => ({ reasoning: 'hm', calls })),
  },
)
// Some are long: there are policies that wait for dozens of calls.
const sessions = fc
  .oneof(
    { weight: 4, arbitrary: fc.array(turn, { maxLength: 40 }) },
    { weight: 1, arbitrary: fc.array(turn, { minLength: 20, maxLength: 40 }) },
  )
  .map((turns): readonly ScriptedTurn[] => [{ user: 'do it' }, ...turns])

const numbers = (view: readonly Shown[]): readonly number[] => view.map(({ item }) => item.i)
const spoken = (view: readonly Shown[]): readonly Shown[] =>
  view.filter(({ item }) => item.kind === 'text')

describe.each(baselines.map((policy) => [policy.name, policy] as const))('%s', (_, policy) => {
  it('keeps order, what was said, and calls with their results, and leaves nothing empty', () => {
    fc.assert(
      fc.property(sessions, (script) => {
        const requests = requestsOf(script)
        for (const [index, view] of showScript(policy, script).entries()) {
          const whole = requests[index]?.view ?? []
          const known = new Set(whole.map(({ item }) => item.i))
          expect(numbers(view)).toEqual(numbers(view).toSorted((one, other) => one - other))
          expect(numbers(view).every((number) => known.has(number))).toBe(true)
          expect(spoken(view)).toEqual(
            whole.flatMap(({ item }) => (item.kind === 'text' ? [{ item, how: 'full' }] : [])),
          )
          const calls = (kind: string): readonly (string | null)[] =>
            view.flatMap(({ item }) => (item.kind === kind ? [item.call] : []))
          expect(calls('call').toSorted()).toEqual(calls('result').toSorted())
          expect(view.every((shown) => shown.how === 'full' || shown.text !== '')).toBe(true)
        }
      }),
      { numRuns: isShortRun ? 12 : 25 },
    )
  })

  it('does not know the future', () => {
    fc.assert(
      fc.property(sessions, fc.nat(), (script, cut) => {
        const views = showScript(policy, script)
        const some = showScript(policy, script.slice(0, 1 + (cut % script.length)))
        // The last request of the shorter session lacks what the user says before the step that is cut off.
        const shared = some.length - 1
        expect(some.slice(0, shared)).toEqual(views.slice(0, shared))
      }),
      { numRuns: isShortRun ? 8 : 15 },
    )
  })
})
