import { readOpening } from '../understand/correction-cues.ts'
import type { Claim } from './claim.ts'
import { aboutValue, valuePhrase } from './value-phrase.ts'

const carrier = /^(?:(?:please|make it|it's|it is|that's|rather|use|just|to)[,.:;\s]+)*/iu
const tail = /^(?:[\s,.!;]|\b(?:please|instead|now|then|sorry|thanks|of course)\b)*$/iu

/** The claim of a fragment such as `Scratch that, Postgres`. It must be a known value and nothing else. */
export function fragmentClaims(fragment: string): readonly Claim[] {
  const said = readOpening(fragment.replaceAll('’', "'")).rest.replace(carrier, '')
  const found = valuePhrase(said)
  if (!found || !tail.test(found.rest)) return []
  const about = aboutValue(found.known)
  return [
    {
      ...about,
      kind: 'preference',
      owner: 'unsaid',
      operation: 'state',
      text: `${about.attribute.replaceAll('_', ' ')}: ${about.value}`,
      quote: fragment,
      confidence: 0.85,
    },
  ]
}
