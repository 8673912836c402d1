import path from 'node:path'
import { parse } from 'jsonc-parser'
import { configJsonSchema } from '../config/json-schema.ts'
import { arrayOf, isJsonObject } from '../core/words/json.ts'

/**
 * A configuration without words of the user's own: the keys and values that the schema knows, numbers and switches. Names
 * of upstreams, addresses, patterns and all other texts are left out.
 */
export function redactedConfig(text: string): unknown {
  return redacted(parse(text, [], { allowTrailingComma: true }), schemaWords(configJsonSchema()))
}

function redacted(value: unknown, words: ReadonlySet<string>): unknown {
  // A number with a unit, such as 30d or 500MB.
  if (typeof value === 'string')
    return words.has(value) || /^\d+(?:\.\d+)? ?[a-z]{0,3}$/i.test(value) ? value : '[text]'
  if (Array.isArray(value)) return value.map((each) => redacted(each, words))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each], at) => [
      words.has(name) ? name : `[name ${at + 1}]`,
      redacted(each, words),
    ]),
  )
}

/** The names of keys and the values of choices in a JSON schema. */
function schemaWords(schema: unknown, words = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(schema)) for (const each of schema) schemaWords(each, words)
  if (!isJsonObject(schema)) return words
  const { properties, enum: choices, const: only } = schema
  for (const word of [...Object.keys(properties ?? {}), ...arrayOf(choices), only])
    if (typeof word === 'string') words.add(word)
  for (const each of Object.values(schema)) schemaWords(each, words)
  return words
}

/** Where the user works and keeps things, which a report must not say. */
export interface OwnFolders {
  readonly userHome: string
  readonly home: string
  readonly cwd: string
}

/** A text with short names in the place of folders. In a JSON text, paths are escaped. */
export function withoutFolders(text: string, { userHome, home, cwd }: OwnFolders): string {
  const above = ancestors(cwd).filter((each) => !userHome.startsWith(each))
  const names: readonly (readonly [folder: string, name: string])[] = [
    ...above.map((each) => [each, path.join('<project>', path.relative(cwd, each))] as const),
    [home, home.startsWith(userHome) ? home.replace(userHome, '~') : '<PALIMPSEST_HOME>'],
    [userHome, '~'],
  ]
  return names
    .toSorted(([one], [other]) => other.length - one.length)
    .reduce(
      (shorter, [folder, name]) => shorter.replaceAll(JSON.stringify(folder).slice(1, -1), name),
      text,
    )
}

/** A folder and those that it is in, without the top. */
function ancestors(folder: string): readonly string[] {
  const parent = path.dirname(folder)
  return parent === folder ? [] : [folder, ...ancestors(parent)]
}
