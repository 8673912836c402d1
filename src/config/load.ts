import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import { PalimpsestError } from '../core/errors.ts'
import { nearest } from './nearest.ts'
import { type Config, type ConfigFile, configFileSchema, defaultConfig, keysAt } from './schema.ts'

const fileName = 'palimpsest.jsonc'

export interface LoadOptions {
  /** Where the project is looked for: this folder and those above it. */
  readonly cwd: string
  /** The user's configuration folder (`PALIMPSEST_HOME`). */
  readonly home?: string | undefined
  /** A configuration given directly, which wins over every file. */
  readonly text?: string | undefined
}

/**
 * The configuration that holds in a folder: the user's, then each `palimpsest.jsonc` from the top of the tree down.
 * The nearest file that names a key decides it; lists are replaced, not joined.
 *
 * @throws PalimpsestError with code `configuration`, naming the file, the line and what would be valid there.
 */
export function loadConfig(options: LoadOptions): Config {
  let config = defaultConfig
  for (const file of filesFor(options)) {
    config = merged(config, parseConfig(readText(file), file))
  }
  if (options.text !== undefined) {
    config = merged(config, parseConfig(options.text, 'the given configuration'))
  }
  return config
}

function filesFor(options: LoadOptions): readonly string[] {
  const files: string[] = []
  for (let folder = resolve(options.cwd); ; folder = dirname(folder)) {
    files.unshift(join(folder, fileName))
    if (dirname(folder) === folder) break
  }
  const own = options.home === undefined ? null : join(resolve(options.home), fileName)
  const ordered = own === null ? files : [own, ...files.filter((file) => file !== own)]
  return ordered.filter((file) => existsSync(file))
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const message = `${file}: cannot be read. Make it a readable file, or remove it.`
    throw new PalimpsestError('configuration', message, { cause })
  }
}

function merged(base: Config, over: ConfigFile): Config {
  return { tools: over.tools ?? base.tools }
}

function parseConfig(text: string, file: string): ConfigFile {
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  const error = errors[0]
  if (error !== undefined && text.trim() !== '') {
    const what = printParseErrorCode(error.error)
    throw problem(file, lineAt(text, error.offset), `not valid JSONC (${what}). Correct it.`)
  }
  if (tree === undefined) return {}
  const result = configFileSchema.safeParse(getNodeValue(tree))
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const path = issue?.path ?? []
  if (issue?.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? ''
    const node = findNodeAtLocation(tree, [...jsonPath(path), key])
    throw problem(file, lineAt(text, node?.parent?.offset ?? 0), unknownKey(key, path))
  }
  const node = nodeNear(tree, path)
  const where = path.length === 0 ? 'the configuration' : `\`${path.join('.')}\``
  throw problem(file, lineAt(text, node.offset), `${where}: ${issue?.message ?? 'invalid value'}.`)
}

function unknownKey(key: string, path: readonly PropertyKey[]): string {
  const valid = keysAt(path)
  const where = path.length === 0 ? '' : ` in \`${path.join('.')}\``
  const guess = nearest(key, valid)
  const advice = guess === null ? `Valid keys: ${valid.join(', ')}.` : `Did you mean \`${guess}\`?`
  return `unknown key \`${key}\`${where}. ${advice}`
}

function problem(file: string, line: number, message: string): PalimpsestError {
  return new PalimpsestError('configuration', `${file}, line ${line}: ${message}`)
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** The value at a path, or the nearest object around it when the value is missing. */
function nodeNear(tree: Node, path: readonly PropertyKey[]): Node {
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(tree, jsonPath(path.slice(0, length)))
    if (node !== undefined) return node
  }
  return tree
}

function jsonPath(path: readonly PropertyKey[]): (string | number)[] {
  return path.map((step) => (typeof step === 'number' ? step : String(step)))
}
