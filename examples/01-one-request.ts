// A request goes through the engine: what newer work has replaced leaves the context, and its handle brings it back.
import { createEngine } from 'palimpsest'
import { anthropic } from 'palimpsest/anthropic'

const engine = createEngine({ preset: 'balanced', cwd: '/home/dev/app' })

/**
 * The body that should go out in the place of this one; the very same object when nothing is to be changed. What was sent
 * changes when the provider's cache has gone cold, or when it pays all the same; hence the time.
 */
export function rewriteRequest(body: string, now: number = Date.now()): string {
  const read = anthropic.read(body)
  if (read.problem !== null) return body
  const { changes } = engine.request(read.messages, undefined, { at: now, model: read.model })
  const { source } = anthropic.rewrite(read, changes)
  const isValid = anthropic.validateChange(body, source).length === 0
  return isValid && typeof source === 'string' ? source : body
}

/** What was left out, whole. */
export function restore(handle: string): string | undefined {
  return engine.find(handle)?.text
}
