import type { Settings } from '../words/settings.ts'

type Window = Pick<Settings, 'turnProtection'>

/** The first request at which items of a turn are no longer protected. */
export function firstFreeRequest(turn: number, { turnProtection }: Window): number {
  return turn + Math.max(0, turnProtection) + 1
}

/** True while items of a turn are protected at the given request. */
export function isProtected(turn: number, request: number, settings: Window): boolean {
  return request < firstFreeRequest(turn, settings)
}

/** True for protected turns, and always for the turn that has just ended. */
export function isRecent(turn: number, request: number, settings: Window): boolean {
  return request <= turn + 1 || isProtected(turn, request, settings)
}
