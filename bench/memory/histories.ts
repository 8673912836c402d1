import { PalimpsestError } from '../../src/core/words/errors.ts'
import type { Memory } from '../../src/memory/memory.ts'
import { checkState } from '../../src/memory/state/check.ts'
import { freshMemory, type Measure, randomNumbers } from './measure.ts'

const kinds = ['fact', 'preference', 'decision'] as const
const scopes = ['user', 'project:p', 'session:s'] as const

/** How many random histories break an invariant. They include late news, rejected links, undo and forget. */
export function measureHistories(count: number): readonly Measure[] {
  const random = randomNumbers(20_261_116)
  const below = (limit: number): number => Math.floor(random() * limit)
  let violations = 0
  for (let history = 0; history < count; history++) {
    const memory = freshMemory()
    for (let step = below(30); step >= 0; step--) randomStep(memory, below)
    violations += checkState(memory.state, memory.now() + 1_000).length
  }
  return [
    {
      name: `integrity violations over ${count.toLocaleString('en')} random histories`,
      value: String(violations),
      goal: '0',
      reached: violations === 0,
    },
  ]
}

function randomStep(memory: Memory, below: (limit: number) => number): void {
  const ids = [...memory.state.items.keys()]
  const pick = (): string => ids[below(ids.length)] ?? 'none'
  try {
    switch (below(10)) {
      case 0:
        memory.supersede(pick(), pick())
        break
      case 1:
        memory.retract(pick())
        break
      case 2:
        memory.undo(pick())
        break
      case 3:
        memory.forget([pick()])
        break
      default: {
        const value = String(below(4))
        memory.add({
          kind: kinds[below(3)]!,
          scope: scopes[below(3)]!,
          text: value,
          category: 'tooling',
          subject: 'user',
          attribute: below(3) === 0 ? 'hobby' : 'editor',
          value,
          validFrom: memory.now() - below(60),
          source: { origin: below(5) === 0 ? 'assistant' : 'user' },
        })
      }
    }
  } catch (error) {
    if (!PalimpsestError.is(error)) throw error
  }
}
