import { configJsonSchema } from '../../src/config/json-schema.ts'
import { keyRules } from '../../src/config/project-keys.ts'

/** A schema of `configJsonSchema`, as far as the tables need it. */
export interface KeySchema {
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly anyOf?: readonly KeySchema[]
  readonly items?: KeySchema
  readonly properties?: Readonly<Record<string, KeySchema>>
  readonly additionalProperties?: KeySchema | boolean
}

export interface KeyRow {
  readonly key: string
  readonly value: string
  readonly meaning: string
}

/** What a value means where its type alone does not say it. */
const words: Readonly<Record<string, string>> = {
  contextLimit: 'tokens or null',
  protectedTools: 'list of names, globs',
  protectedFilePatterns: 'list of globs',
  secretFilePatterns: 'list of globs',
  'tools.settings.protectedTools': 'list of names, globs',
  'tools.todoReminder.maxContextTokens': 'tokens',
  bashTruncate: 'characters',
  'triggers.historicalTokens': 'tokens',
  'triggers.aggressiveTokens': 'tokens',
  'triggers.thinkingTokens': 'tokens',
  'encryption.keyFile': 'file',
  'gc.olderThan': 'time',
  'gc.largerThan': 'size',
  log: 'file',
  'memory.budgetTokens': 'tokens',
  upstreams: 'addresses by name',
  allowedHosts: 'list of host names',
}

/** Where more is said about a key: a page, or a heading of this one. */
const places: Readonly<Record<string, string>> = {
  files: '#the-file-policy',
  models: '#models',
  protectedTools: '#what-is-protected',
  protectedFilePatterns: '#what-is-protected',
  secretFilePatterns: '#secret-files',
  'strategies.retention': '#retention',
  'tools.settings.protectedTools': '#what-is-protected',
  triggers: 'schedule.md',
  'encryption.keyFile': 'store.md#encryption',
  record: 'team.md#retention',
  memory: 'memory.md',
  'memory.inject': 'memory.md',
  'memory.learn': 'memory.md',
  toolMappings: '#tool-mappings',
  upstreams: 'gateway.md',
  allowedHosts: 'gateway.md',
  limits: 'gateway.md#when-there-is-too-much-to-do',
  verify: 'reliability.md#it-checks-itself',
  delegateClears: 'gateway.md',
}

const code = (name: string): string => `\`${name}\``

/** Every key of the configuration, and the keys of the objects in its lists, by the heading they stand under. */
export function keyRows(): {
  readonly all: readonly KeyRow[]
  readonly models: readonly KeyRow[]
  readonly toolMappings: readonly KeyRow[]
} {
  const schema: KeySchema = configJsonSchema()
  const all = rowsOf(schema, '')
  const keys = new Set(all.map(({ key }) => key))
  const stale = [...Object.keys(words), ...Object.keys(places)].filter((key) => !keys.has(key))
  if (stale.length > 0) throw new Error(`the configuration has no key ${stale.join(', ')}`)
  const itemsOf = (key: string): readonly KeyRow[] =>
    rowsOf(schema.properties?.[key]?.items ?? {}, `${key}[].`)
  return { all, models: itemsOf('models'), toolMappings: itemsOf('toolMappings') }
}

function rowsOf(schema: KeySchema, prefix: string): readonly KeyRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const key = `${prefix}${name}`
    const isItem = prefix.includes('[]')
    const mark = isItem ? null : markOf(key)
    const value = [words[key] ?? valueWord(inner), ...(mark === null ? [] : [mark])].join(', ')
    const place = places[key]
    const more =
      place === undefined
        ? []
        : [
            `${place.startsWith('#') ? 'More' : 'See'} [${place.startsWith('#') ? 'below' : place.replace(/#.*/, '')}](${place}).`,
          ]
    const meaning = [inner.description ?? '', ...more].join(' ')
    return [{ key: isItem ? name : key, value, meaning }, ...rowsOf(inner, `${key}.`)]
  })
}

/** What a project's file may do with the key; null where it may set it. */
function markOf(key: string): string | null {
  const parts = key.split('.')
  const owner = parts
    .map((_, end) => parts.slice(0, parts.length - end).join('.'))
    .find((each) => keyRules[each] !== undefined)
  const rule = owner === undefined ? null : keyRules[owner]
  if (rule === 'user') return '_yours_'
  return rule === 'stricter' ? '_stricter_' : null
}

function valueWord(schema: KeySchema): string {
  const { type, anyOf, items, minimum, exclusiveMinimum, maximum } = schema
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ')
  if (anyOf !== undefined) return unionOf(anyOf)
  if (type === 'array') return items?.type === 'object' ? 'list of objects' : 'list'
  if (type === 'string') return schema.format === 'uri' ? 'URL' : 'text'
  if (type !== 'number' && type !== 'integer') return type ?? ''
  const least = minimum ?? exclusiveMinimum
  return maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
    ? `${least} to ${maximum}`
    : 'number'
}

/** A switch is true, false, or an object with `enabled` and more. */
function unionOf(forms: readonly KeySchema[]): string {
  const object = forms.find(({ properties }) => properties?.enabled !== undefined)
  const isSwitch = object !== undefined && forms.some(({ type }) => type === 'boolean')
  if (!isSwitch)
    return forms
      .map((form) =>
        form.properties === undefined
          ? valueWord(form)
          : code(`{ ${Object.keys(form.properties).join(', ')} }`),
      )
      .join(' or ')
  const others = Object.keys(object.properties ?? {}).filter((name) => name !== 'enabled')
  return others.length === 0 ? 'switch' : `switch, with ${others.map(code).join(', ')}`
}

function table(rows: readonly KeyRow[]): string {
  const lines = rows.map(({ key, value, meaning }) =>
    `| ${code(key)} | ${value} | ${meaning} |`.replaceAll(/(?<=.)\|(?=\S)/g, '\\|'),
  )
  return ['| key | value | meaning |', '|---|---|---|', ...lines].join('\n')
}

/** The page with its tables as the schema gives them. */
export function withKeyTables(page: string): string {
  return Object.entries(keyRows()).reduce((text, [name, rows]) => {
    const [begin, end] = [`<!-- keys: ${name} -->\n`, `\n<!-- end of keys: ${name} -->`]
    const [from, to] = [text.indexOf(begin), text.indexOf(end)]
    if (from === -1 || to === -1)
      throw new Error(`the page has lost the marks of its table '${name}'`)
    return `${text.slice(0, from + begin.length)}${table(rows)}${text.slice(to)}`
  }, page)
}
