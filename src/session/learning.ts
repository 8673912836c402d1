import type { Setup } from './setup.ts'

/**
 * Whether doors read users' turns into the memory. By default only a store that nobody shares learns; where nothing may be
 * recorded, none does.
 */
export function isLearning({ config, location }: Pick<Setup, 'config' | 'location'>): boolean {
  if (config.record === 'none') return false
  return config.memory?.learn ?? location.kind !== 'postgres'
}
