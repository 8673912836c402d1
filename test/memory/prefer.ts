import type { Memory } from '../../src/memory/index.ts'

/** Has a memory hold which package manager the user prefers; a second one takes the place of the first. */
export function preferManager(memory: Memory, value: string): string {
  return memory.add({
    kind: 'preference',
    category: 'tooling',
    attribute: 'package_manager',
    text: `package manager: ${value}`,
    value,
  }).id
}
