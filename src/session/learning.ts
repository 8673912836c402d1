import type { Setup } from './setup.ts'

/** Whether doors read users' turns into the memory. By default only a store that nobody shares learns. */
export function isLearning({ config, location }: Pick<Setup, 'config' | 'location'>): boolean {
  return config.memory?.learn ?? location.kind !== 'postgres'
}
