import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import { PalimpsestError } from '../core/words/errors.ts'
import type { ConfigFile } from './config.ts'
import { type Dialect, dialectOf, isForeignKey } from './foreign-keys.ts'
import { nearest } from './nearest.ts'
import { configFileSchema } from './schema.ts'
import { keysAt, pathsOfKey } from './schema-keys.ts'
import { describeIssue } from './value-problem.ts'

export interface ParsedConfig {
  readonly config: ConfigFile
  /** The paths of keys that have no meaning here, with a suggestion where a known key is similar. */
  readonly ignored: readonly string[]
}

/** The text of a configuration, and how to tell the user where it is. */
export interface ConfigText {
  readonly text: string
  readonly where: string
  /** Decides whether it is a file of ACP or DCP, in which unknown keys are ignored. */
  readonly fileName: string
}

/** Far more than all settings need. A project's file may be anything. */
const longestConfig = 200_000
/** Further ones are not reported, because each suggestion takes time. */
const mostProblems = 50

/**
 * Reads one configuration. A file of ACP or DCP starts from the preset of that name.
 *
 * @throws PalimpsestError with code `configuration`, naming the file, the line and what would be valid there.
 */
export function parseConfig(source: ConfigText): ParsedConfig {
  const text = source.text.replace(/^\uFEFF/, '')
  if (text.length > longestConfig) {
    const what = `longer than ${longestConfig} characters. Remove what is not configuration.`
    throw new PalimpsestError('configuration', `${source.where}: ${what}`)
  }
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  const problems: Problem[] = []
  const report = (): PalimpsestError => {
    const lines = problems
      .toSorted((a, b) => a.offset - b.offset)
      .slice(0, mostProblems)
      .map(({ offset, what }) => {
        const line = text.slice(0, offset).split('\n').length
        return `${source.where}, line ${line}: ${what}`
      })
    return new PalimpsestError('configuration', lines.join('\n'))
  }
  const error = errors[0]
  const hasContent = tree !== undefined || errors.some(({ length }) => length > 0)
  if (error !== undefined && hasContent) {
    const what = `not valid JSONC (${printParseErrorCode(error.error)}). Correct it.`
    problems.push({ offset: error.offset, what })
    throw report()
  }
  const dialect = dialectOf(source.fileName, tree && schemaNamed(tree))
  const start: ConfigFile = dialect === 'palimpsest' ? {} : { preset: dialect }
  if (tree === undefined) return { config: start, ignored: [] }

  const { value, ignored } = knownPart(tree, dialect, problems)
  const result = configFileSchema.safeParse(value, { reportInput: true })
  for (const issue of result.error?.issues ?? []) {
    const { path, message } = describeIssue(issue)
    problems.push({ offset: nodeNear(tree, path).offset, what: message })
  }
  if (!result.success || problems.length > 0) throw report()
  return { config: { ...start, ...result.data }, ignored }
}

interface Problem {
  readonly offset: number
  readonly what: string
}

function schemaNamed(tree: Node): unknown {
  const node = tree.type === 'object' ? findNodeAtLocation(tree, ['$schema']) : undefined
  return node?.value
}

/** The value without the keys that have no meaning here. Unknown keys are problems. */
function knownPart(
  tree: Node,
  dialect: Dialect,
  problems: Problem[],
): { readonly value: unknown; readonly ignored: readonly string[] } {
  const ignored: string[] = []
  const visit = (node: Node, path: readonly string[]): unknown => {
    if (node.type === 'array') {
      return (node.children ?? []).map((child, index) => visit(child, [...path, `${index}`]))
    }
    const valid = keysAt(path)
    // An object in the wrong place is a bad value, which the schema reports.
    if (node.type !== 'object' || valid.length === 0) return getNodeValue(node)
    const members: [string, unknown][] = []
    for (const property of node.children ?? []) {
      const [name, value] = property.children ?? []
      if (name === undefined || value === undefined) continue
      const key = String(name.value)
      const here = [...path, key]
      if (valid.includes(key)) members.push([key, visit(value, here)])
      else if (isForeignKey(here)) ignored.push(...leaves(value, here))
      else if (dialect !== 'palimpsest') {
        const named = leaves(value, here)
        ignored.push(...(ignored.length < mostProblems ? named.map(withGuess(valid)) : named))
      } else if (problems.length < mostProblems)
        problems.push({ offset: name.offset, what: unknownKey(key, path) })
    }
    return Object.fromEntries(members)
  }
  return { value: visit(tree, []), ignored }
}

function leaves(node: Node, path: readonly string[]): readonly string[] {
  const below = node.type === 'object' ? (node.children ?? []) : []
  const found = below.flatMap((property) => {
    const [name, value] = property.children ?? []
    return value === undefined ? [] : leaves(value, [...path, String(name?.value)])
  })
  return found.length === 0 ? [path.join('.')] : found
}

const withGuess =
  (valid: readonly string[]) =>
  (path: string): string => {
    const guess = nearest(path.split('.').at(-1) ?? '', valid, { closely: true })
    return guess === null ? path : `${path} (did you mean ${guess}?)`
  }

export function unknownKey(key: string, path: readonly string[]): string {
  const where = path.length === 0 ? '' : ` in \`${path.join('.')}\``
  return `unknown key \`${key}\`${where}. ${advice(key, path)}`
}

/** The same key in another place is more likely meant than a similar key in this one. */
function advice(key: string, path: readonly string[]): string {
  const elsewhere = pathsOfKey(key)[0]
  if (elsewhere !== undefined) return `Did you mean \`${elsewhere.join('.')}\`?`
  const valid = keysAt(path)
  const guess = nearest(key, valid)
  return guess === null ? `Valid keys: ${valid.join(', ')}.` : `Did you mean \`${guess}\`?`
}

/** The value at a path, or the nearest object around it when the value is missing. */
function nodeNear(tree: Node, path: readonly PropertyKey[]): Node {
  const steps = path.map((step) => (typeof step === 'number' ? step : String(step)))
  for (let length = steps.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(tree, steps.slice(0, length))
    if (node !== undefined) return node
  }
  return tree
}
