import { comparable } from './item.ts'
import { attributes } from './lexicon/attributes.ts'
import type { Cardinality } from './state/event.ts'

const single: ReadonlySet<string> = new Set(
  attributes
    .filter((attribute) => attribute.cardinality === 'single')
    .map(({ name }) => comparable(name)),
)

/** Built-in attributes may have a single value; all others can have many, so that nothing is replaced by accident. */
export function declaredCardinality(attribute: string): Cardinality {
  return single.has(comparable(attribute)) ? 'single' : 'many'
}
