import { attributeKey } from './attribute-key.ts'
import { attributes } from './lexicon/attributes.ts'
import type { Cardinality } from './state/event.ts'

const single: ReadonlySet<string> = new Set(
  attributes
    .filter((attribute) => attribute.cardinality === 'single')
    .map(({ name }) => attributeKey(name)),
)

/** Only built-in attributes can be single-valued. All others have many values, so nothing is replaced by accident. */
export function declaredCardinality(attribute: string): Cardinality {
  return single.has(attributeKey(attribute)) ? 'single' : 'many'
}
