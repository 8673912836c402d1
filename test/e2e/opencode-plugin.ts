import { appendFileSync } from 'node:fs'
import { applyInPlace, opencode } from '../../src/formats/opencode/index.ts'

interface Hooks {
  readonly 'experimental.chat.messages.transform': (
    input: object,
    output: { messages: unknown[] },
  ) => Promise<void>
}

/** What stands in the place of a result once three more have followed it. */
export const standIn = '[the result was put away]'

/** A plugin for OpenCode that puts away old results, and writes down each list as it handed it back. */
export async function putAwayResults(): Promise<Hooks> {
  const log = process.env.PALIMPSEST_LISTS
  return {
    'experimental.chat.messages.transform': async (_input, { messages }) => {
      const read = opencode.read(messages)
      const results = read.messages.flatMap(({ items }, message) =>
        items.flatMap(({ kind }, item) => (kind === 'result' ? [{ message, item }] : [])),
      )
      const changes = results.slice(0, -3).map((place) => ({ ...place, text: standIn }))
      const { source, refused } = opencode.rewrite(read, changes)
      const violations = [
        ...opencode.validate(source),
        ...opencode.validateChange(structuredClone(messages), source),
      ]
      applyInPlace(messages, source)
      const line = { messages, problem: read.problem, refused, violations }
      if (log !== undefined) appendFileSync(log, `${JSON.stringify(line)}\n`)
    },
  }
}
