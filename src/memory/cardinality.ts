import { comparable } from './item.ts'
import { attributes } from './lexicon/attributes.ts'
import type { Cardinality } from './state/event.ts'

const single: ReadonlySet<string> = new Set(
  attributes
    .filter((attribute) => attribute.cardinality === 'single')
    .map(({ name }) => comparable(name)),
)

/** One value at a time for the attributes that ship as such; many for every other, so that nothing is destroyed. */
export function declaredCardinality(attribute: string): Cardinality {
  return single.has(comparable(attribute)) ? 'single' : 'many'
}
