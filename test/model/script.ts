import { arrayOf, objectOf } from '../../src/core/words/json.ts'
import type { ModelRequest } from './api.ts'
import { asString } from './json.ts'
import type { ModelTurn, Scenario, SpecialTurn } from './scenario.ts'

/** Which part of the scenario answers a request. `turn` counts from 0. */
export type Cue =
  | { readonly kind: 'turn'; readonly turn: number; readonly say: ModelTurn }
  | { readonly kind: 'special'; readonly special: number; readonly say: ModelTurn }
  | { readonly kind: 'aux' | 'exhausted'; readonly say: ModelTurn }

/** Gives out the scenario's answers in order. */
export interface Script {
  cue(request: ModelRequest, raw: string): Cue
  /** How many turns are still to come. */
  remaining(): number
}

export function createScript(scenario: Scenario): Script {
  const specials = (scenario.specials ?? []).map((special) => ({
    special,
    matches: matcherOf(special),
    used: 0,
  }))
  let next = 0
  return {
    remaining: () => Math.max(0, scenario.turns.length - next),
    cue(request, raw) {
      const index = specials.findIndex(({ matches }) => matches(request, raw))
      const found = specials[index]
      if (found !== undefined) {
        const { turns } = found.special
        const say = turns[Math.min(found.used, turns.length - 1)] ?? {}
        found.used += 1
        return { kind: 'special', special: index, say }
      }
      const offersTools = arrayOf(request.body.tools).length > 0 || offersToolsInInput(request)
      if (!offersTools && scenario.aux !== undefined) {
        return { kind: 'aux', say: { text: inWantedShape(scenario.aux, request) } }
      }
      const say = scenario.turns[next]
      if (say === undefined) return { kind: 'exhausted', say: { text: scenario.last ?? 'Done.' } }
      next += 1
      return { kind: 'turn', turn: next - 1, say }
    },
  }
}

function offersToolsInInput({ body }: ModelRequest): boolean {
  return arrayOf(body.input).some((item) => objectOf(item).type === 'additional_tools')
}

function matcherOf(special: SpecialTurn): (request: ModelRequest, raw: string) => boolean {
  const { match, firstUser } = special
  if (firstUser !== undefined) {
    const pattern = new RegExp(firstUser, 's')
    return (request) => pattern.test(firstUserMessage(request))
  }
  if (match === undefined) return () => false
  const pattern = new RegExp(match, 's')
  return (_request, raw) => pattern.test(raw)
}

function firstUserMessage({ body }: ModelRequest): string {
  const messages = arrayOf(body.messages ?? body.input ?? body.contents)
  return JSON.stringify(messages.find((message) => objectOf(message).role === 'user') ?? '')
}

/** Clients that demand JSON of a schema for their titles get it: every text field holds the answer. */
function inWantedShape(text: string, { body }: ModelRequest): string {
  const schema =
    objectOf(objectOf(body.output_config).format).schema ??
    objectOf(objectOf(body.response_format).json_schema).schema ??
    objectOf(objectOf(body.text).format).schema
  const properties = Object.entries(objectOf(objectOf(schema).properties))
  if (properties.length === 0) return text
  const fields = properties
    .filter(([, property]) => asString(objectOf(property).type) === 'string')
    .map(([name]) => [name, text])
  return JSON.stringify(Object.fromEntries(fields))
}
