import { comparable } from './comparable.ts'
import { attributes } from './lexicon/attributes.ts'

/** Short names that mean a known attribute and nothing else. */
const shortNames = new Set(['ide', 'db', 'datastore', 'os', 'vcs', 'licence', 'indent', 'ci/cd'])

/** Names of known attributes. A single word such as `tests` names too many things to be one. */
const known = new Map<string, string>()
for (const { name, nouns } of attributes)
  for (const noun of nouns) {
    const plain = comparable(noun)
    const isOwn = plain === comparable(name) || plain.includes(' ') || shortNames.has(plain)
    if (isOwn && !known.has(plain)) known.set(plain, comparable(name))
  }

const owners = /^(?:the|our|my|your|preferred|favou?rite|current|primary|default)\s+/

/**
 * The one form of a property's name: `packageManager`, `package_manager`, `package-manager` and `our package manager`
 * are one key, and so are the names that the lexicon knows for it. A purpose (`for linting`) stays a part of the name.
 */
export function attributeKey(name: string): string {
  const words = name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(?<=\p{L})-(?=\p{L})/gu, ' ')
  const plain = comparable(words)
  const whole = known.get(plain)
  if (whole !== undefined) return whole
  const [head = '', purpose] = plain.split(/ (?=for )/)
  const bare = head.replace(owners, '') || head
  const named = known.get(bare) ?? bare
  return purpose === undefined ? named : `${named} ${purpose}`
}

/** Whether a normalised name is the name of a known attribute. */
export function isKnownKey(key: string): boolean {
  return known.get(key) === key
}
