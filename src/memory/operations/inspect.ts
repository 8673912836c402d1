import * as z from 'zod'
import { plural } from '../../core/render/counts.ts'
import { findPatterns } from '../patterns.ts'
import { checkState } from '../state/check.ts'
import { canSee, type MemoryOperation, memoryOperation } from './operation.ts'

const nothing = z.object({})

export const patterns: MemoryOperation = memoryOperation({
  name: 'patterns',
  effect: 'reads',
  input: nothing,
  command: {
    description: 'what changes often, and what to ask because of it',
    input: () => ({}),
  },
  toolDescription: 'What changes often in the memory, and what to ask the user because of it.',
  run: (_, { memory, place }) => findPatterns(memory.state, place),
  text(found) {
    const lines = [
      ...found.unstable.map(
        ({ kind, key, values, advice }) => `${kind} ${key}: ${values.join(' → ')}; ${advice}`,
      ),
      ...found.categories.map(
        ({ category, conflicts, items }) =>
          `${category}: ${plural(conflicts, 'conflict')} among ${plural(items, 'item')}`,
      ),
      ...found.corrections.map(
        ({ week, count }) => `week of ${week}: ${plural(count, 'correction')}`,
      ),
      ...(found.openFlags > 0
        ? [`${found.openFlags} contradictions wait for \`memory review\``]
        : []),
    ]
    return lines.length === 0 ? ['nothing stands out'] : lines
  },
})

export const check: MemoryOperation = memoryOperation({
  name: 'check',
  effect: 'reads',
  input: nothing,
  command: { description: 'verify every invariant; repairs nothing', input: () => ({}) },
  toolDescription: 'Verifies every invariant of the memory and repairs nothing; [] when all hold.',
  run: (_, access) => ({
    violations: checkState(access.memory.state, access.memory.now()).filter(({ items }) =>
      items.every((id) => canSee(access, id)),
    ),
    items: access.memory.state.items.size,
  }),
  text: ({ violations, items }) =>
    violations.length === 0
      ? [`${items} items, nothing wrong`]
      : violations.map(({ rule, message }) => `${rule}: ${message}`),
  json: ({ violations }) => violations,
  answer: ({ violations }) => violations,
  isFailure: ({ violations }) => violations.length > 0,
})
