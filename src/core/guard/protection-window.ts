import type { Settings } from '../words/settings.ts'

type Window = Pick<Settings, 'turnProtection'>

/** The first request at which something of a turn is out of the protected turns. */
export function firstFreeRequest(turn: number, { turnProtection }: Window): number {
  return turn + Math.max(0, turnProtection) + 1
}

/** True while something of a turn is in the protected turns, at the request that is being prepared. */
export function isProtected(turn: number, request: number, settings: Window): boolean {
  return request < firstFreeRequest(turn, settings)
}

/** True also for the turn that has just ended, which counts as recent when no turn is protected. */
export function isRecent(turn: number, request: number, settings: Window): boolean {
  return request <= turn + 1 || isProtected(turn, request, settings)
}
