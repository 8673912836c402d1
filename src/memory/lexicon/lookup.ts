import { comparable } from '../comparable.ts'
import { type Attribute, attributes } from './attributes.ts'

/** A value of the lexicon as it was found in a text. */
export interface KnownValue {
  readonly attribute: Attribute
  /** Its usual spelling. */
  readonly value: string
}

const byValue = new Map<string, KnownValue>()
const byNoun = new Map<string, Attribute>()
for (const attribute of attributes) {
  for (const noun of attribute.nouns)
    if (!byNoun.has(comparable(noun))) byNoun.set(comparable(noun), attribute)
  for (const spellings of attribute.values) {
    const [value = ''] = spellings.split('|')
    for (const spelling of spellings.split('|'))
      if (!byValue.has(comparable(spelling)))
        byValue.set(comparable(spelling), { attribute, value })
  }
}

/** The attribute of a value: `pnpm` is a package manager. Longer spellings first: `GitHub Actions` is not a code host. */
export function knownValue(text: string): KnownValue | undefined {
  return byValue.get(comparable(text))
}

/** The attribute that a noun names: `our test runner`. */
export function namedAttribute(noun: string): Attribute | undefined {
  const plain = comparable(noun)
  return (
    byNoun.get(plain) ??
    byNoun.get(
      plain.replace(
        /^(?:primary|main|default|current|preferred|favou?rite|go-to|usual|everyday|new) /,
        '',
      ),
    )
  )
}

/** Whether two values are the same under any of their spellings. */
export function sameValue(a: string | undefined, b: string | undefined): boolean {
  return canonical(a ?? '') === canonical(b ?? '')
}

const versioned = /^(?<name>.*\S)\s+v?(?<version>\d[\d.x]*)$/iu

function canonical(value: string): string {
  const known = knownValue(value)
  if (known) return comparable(known.value)
  const { name, version } = versioned.exec(value.trim())?.groups ?? {}
  const named = name === undefined ? undefined : knownValue(name)
  return comparable(named ? `${named.value} ${version}` : value)
}

/** Whether a text names a value, at least in part: `Python` names `Python 3.12`. */
export function namesValue(said: string | undefined, value: string | undefined): boolean {
  if (sameValue(said, value)) return true
  const name = versioned.exec(value?.trim() ?? '')?.groups?.name
  return name !== undefined && sameValue(said, name)
}

/** Tools that do several jobs: where a linter is replaced, `Biome` is the linter. */
const jobs: ReadonlyMap<string, readonly string[]> = new Map([
  ['Biome', ['formatter', 'linter']],
  ['Ruff', ['linter', 'formatter']],
  ['Bun', ['package_manager', 'runtime', 'test_framework', 'bundler']],
  ['Deno', ['runtime', 'formatter', 'linter', 'test_framework']],
])

/** Whether a tool can have the role of an attribute. */
export function doesJob({ attribute, value }: KnownValue, name: string): boolean {
  return attribute.name === name || (jobs.get(value)?.includes(name) ?? false)
}

const longestValue = 4

/** The known value at the beginning of some words, the longest first. */
export function leadingValue(
  words: readonly string[],
): { readonly known: KnownValue; readonly length: number } | undefined {
  for (let length = Math.min(longestValue, words.length); length > 0; length--) {
    const known = knownValue(words.slice(0, length).join(' '))
    if (known) return { known, length }
  }
  return undefined
}

/** Words that are also ordinary English: they name a tool only where the sentence calls for one. */
export const ambiguousValues: ReadonlySet<string> = new Set(
  'go rust make express render square linear black flow spring swift echo fiber gin oracle rest fish warp arch mac solid ember next remix nest cursor zed nano tape tape ava standard clerk fly bull neon phoenix emotion main master windows trunk develop functional sessions spaces tabs node helix lit drone title home process cloud host port'.split(
    ' ',
  ),
)
