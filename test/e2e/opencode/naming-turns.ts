import type { ModelTurn } from '../../model/scenario.ts'

/**
 * Turns in which `{handle:WORD}` stands for the handle that the model was shown behind the last output with that word, in the
 * request before, and `{listed:WORD}` for the one before that word in the last inventory. A script cannot know handles; a
 * model reads them.
 */
export function namingTurns(
  turns: readonly ModelTurn[],
  lastBody: () => string,
): readonly ModelTurn[] {
  const named: ModelTurn[] = []
  for (const [at, turn] of turns.entries()) {
    Object.defineProperty(named, at, { get: () => filled(turn, lastBody()), enumerable: true })
  }
  return named
}

function filled(turn: ModelTurn, body: string): ModelTurn {
  const text = JSON.stringify(turn)
    .replaceAll(/\{handle:([^}]+)\}/g, (whole, word: string) => handleBehind(body, word) ?? whole)
    .replaceAll(/\{listed:(\w+)\}/g, (whole, word: string) => handleListed(body, word) ?? whole)
  return JSON.parse(text) as ModelTurn
}

/** The first tag behind the first place at which the word stands. */
export function handleBehind(body: string, word: string): string | null {
  const at = body.indexOf(word)
  if (at === -1) return null
  return /(?:\[handle|context_restore) ([0-9a-f]{6,})\]/.exec(body.slice(at))?.[1] ?? null
}

/** A line of an inventory: the handle, what would be gained, and what it is. */
function handleListed(body: string, word: string): string | null {
  return new RegExp(`([0-9a-f]{6,}) {2}~\\S+ +${word}`).exec(body)?.[1] ?? null
}
