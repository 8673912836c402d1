import type { Setup } from './setup.ts'

/**
 * Whether users' turns are read into the memory. By default only for a store that is not shared, and never when nothing may
 * be recorded.
 */
export function isLearning({ config, location }: Pick<Setup, 'config' | 'location'>): boolean {
  if (config.record === 'none') return false
  return config.memory?.learn ?? location.kind !== 'postgres'
}
