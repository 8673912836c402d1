import { isDeepStrictEqual } from 'node:util'
import {
  findNodeAtLocation,
  getNodePath,
  getNodeValue,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
  applyEdits as withEdits,
} from 'jsonc-parser'
import { PalimpsestError } from '../core/words/errors.ts'
import { lineEnding } from './marked-block.ts'

/** A value in a JSON file, and what is to stand there. */
export interface JsonChange {
  readonly path: readonly (string | number)[]
  readonly value: unknown
}

/** In a path: the element of a list that equals the value, wherever it stands. A new one becomes the first. */
export const anyElement = -1

const begin = '// >>> palimpsest >>>'
const end = '// <<< palimpsest <<<'

/**
 * Sets values in the text of a JSON file and leaves every other byte as it is, comments included. A new member becomes the
 * first of its object, so that no other line changes. In a file that may hold comments, it stands in a marked block.
 *
 * @throws PalimpsestError with code `configuration` for a text that is not JSON.
 */
export function withJson(
  text: string,
  changes: readonly JsonChange[],
  { file, isMarked }: { readonly file: string; readonly isMarked: boolean },
): string {
  return changes.reduce((before, change) => setValue(before, change, { file, isMarked }), text)
}

function setValue(
  text: string,
  { path, value }: JsonChange,
  { file, isMarked }: { readonly file: string; readonly isMarked: boolean },
): string {
  const eol = lineEnding(text)
  const bom = text.startsWith('\ufeff') ? '\ufeff' : ''
  const body = text.slice(bom.length)
  if (body.trim() === '')
    return `${bom}${JSON.stringify(nested(path, value), null, 2).replaceAll('\n', eol)}${eol}`
  const root = rootOf(body, file)
  const found = nodeAt(root, { path, value })
  if (found !== undefined) {
    if (path.at(-1) === anyElement) return text
    const written = JSON.stringify(value, null, 2).replaceAll(
      '\n',
      `${eol}${indentAt(body, found.offset)}`,
    )
    return `${bom}${body.slice(0, found.offset)}${written}${body.slice(found.offset + found.length)}`
  }
  const { node, depth } = deepest(root, path)
  const key = path[depth]
  const type = key === anyElement ? 'array' : 'object'
  if (node.type !== type)
    throw new PalimpsestError(
      'configuration',
      `${file}: ${path.slice(0, depth).join('.') || 'the whole file'} is not an ${type}. Fix it, and try again.`,
    )
  const member = {
    key: key === anyElement ? null : String(key),
    value: nested(path.slice(depth + 1), value),
  }
  return `${bom}${insertFirst(body, node, member, { eol, isMarked })}`
}

function rootOf(body: string, file: string): Node {
  const errors: ParseError[] = []
  const root = parseTree(body, errors, { allowTrailingComma: true })
  if (root !== undefined && errors.length === 0) return root
  const line = body.slice(0, errors[0]?.offset ?? 0).split('\n').length
  throw new PalimpsestError(
    'configuration',
    `${file}:${line}: this is not valid JSON. Fix it, and try again.`,
  )
}

function nested(path: JsonChange['path'], value: unknown): unknown {
  return path.reduceRight<unknown>(
    (inner, key) => (key === anyElement ? [inner] : { [String(key)]: inner }),
    value,
  )
}

function nodeAt(root: Node, { path, value }: JsonChange): Node | undefined {
  if (path.at(-1) !== anyElement) return findNodeAtLocation(root, path as JSONPath)
  const list = findNodeAtLocation(root, path.slice(0, -1) as JSONPath)
  return list?.children?.find((each) => isDeepStrictEqual(plain(getNodeValue(each)), plain(value)))
}

/** As JSON has it. The parser's objects have no prototype. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

/** Whether a value stands in the text of a JSON file. */
export function holdsJson(text: string, change: JsonChange): boolean {
  const root = parseTree(text.replace(/^\ufeff/, ''), [], { allowTrailingComma: true })
  const found = root && nodeAt(root, change)
  return found !== undefined && isDeepStrictEqual(plain(getNodeValue(found)), plain(change.value))
}

function deepest(
  root: Node,
  path: JsonChange['path'],
): { readonly node: Node; readonly depth: number } {
  for (let depth = path.length - 1; depth > 0; depth--) {
    const node = findNodeAtLocation(root, path.slice(0, depth) as JSONPath)
    if (node !== undefined) return { node, depth }
  }
  return { node: root, depth: 0 }
}

interface Member {
  /** null for an element of a list. */
  readonly key: string | null
  readonly value: unknown
}

function insertFirst(
  body: string,
  { offset, children = [] }: Node,
  { key, value }: Member,
  { eol, isMarked }: { readonly eol: string; readonly isMarked: boolean },
): string {
  const outer = indentAt(body, offset)
  const inner = `${outer}${unitOf(body)}`
  const lines = JSON.stringify(value, null, unitOf(body)).split('\n')
  const name = key === null ? '' : `${JSON.stringify(key)}: `
  const shown = `${name}${lines.join(`${eol}${inner}`)}`
  const before = body.slice(0, offset + 1)
  const after = body.slice(offset + 1)
  const isOneLine = children.length > 0 && !/^\s*?\n|^[ \t]*\/[/*]/.test(after)
  const comma = children.length === 0 ? '' : ','
  const pieces = isMarked ? [begin, `${shown}${comma}`, end] : [`${shown}${comma}`]
  if (isOneLine && !isMarked) {
    const space = /^[ \t]*/.exec(after)?.[0] ?? ''
    return `${before}${space}${shown}, ${after.trimStart()}`
  }
  const added = pieces.map((piece) => `${eol}${inner}${piece}`).join('')
  if (children.length > 0 && !isOneLine) return `${before}${added}${after}`
  if (isOneLine) return `${before}${added}${eol}${inner}${after.trimStart()}`
  return `${before}${added}${eol}${outer}${after.trimStart()}`
}

/** The white space at the beginning of the line. */
function indentAt(body: string, offset: number): string {
  const start = body.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(body.slice(start))?.[0] ?? ''
}

function unitOf(body: string): string {
  return /\n([ \t]+)\S/.exec(body)?.[1] ?? '  '
}

/** What stood in a JSON file before a change of ours; `was` is undefined where there was nothing. */
export interface JsonUndo {
  readonly path: JsonChange['path']
  readonly was: unknown
  /** What we wrote there. A value that the user has changed since is left alone. */
  readonly value: unknown
}

/**
 * Takes our values out of a file that the user has edited in the same place. Objects that are empty then and that the
 * original did not have go too.
 */
export function withoutJson(text: string, undos: readonly JsonUndo[], original: string): string {
  const unmarked = text
    .split(/(?<=\n)/)
    .filter((line) => ![begin, end].includes(line.trim()))
    .join('')
  return undos.reduceRight((body, { path, was, value }) => {
    const root = parseTree(body, [], { allowTrailingComma: true })
    const found = root && nodeAt(root, { path, value })
    if (root === undefined || found === undefined) return body
    if (typeof value === 'string' && found.value !== value) return body
    if (path.at(-1) === anyElement) return withoutElement(body, found)
    const place = getNodePath(found)
    const edited = withValueAt(body, place, was)
    return was === undefined ? withoutEmpty(edited, place.slice(0, -1), original) : edited
  }, unmarked)
}

function withValueAt(body: string, place: JSONPath, value: unknown): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: lineEnding(body) }
  return withEdits(body, modify(body, place, value, { formattingOptions }))
}

/** Without the objects at a place and around it that our change has brought and that have nothing else in them. */
function withoutEmpty(body: string, place: JSONPath, original: string): string {
  const isOurs =
    place.length > 0 &&
    isDeepStrictEqual(plain(jsonAt(body, place)), {}) &&
    jsonAt(original, place) === undefined
  return isOurs
    ? withoutEmpty(withValueAt(body, place, undefined), place.slice(0, -1), original)
    : body
}

/** The text without an element of a list. jsonc-parser cuts too little where the list is on one line. */
function withoutElement(body: string, { offset, length, parent }: Node): string {
  const elements = parent?.children ?? []
  const at = elements.findIndex((each) => each.offset === offset)
  const [before, after] = [elements[at - 1], elements[at + 1]]
  const end = offset + length
  if (before !== undefined) return body.slice(0, before.offset + before.length) + body.slice(end)
  return body.slice(0, offset) + body.slice(after?.offset ?? end)
}

/** The value at a path; undefined when there is none, or the text is not JSON. */
export function jsonAt(text: string, path: JsonChange['path']): unknown {
  const root = parseTree(text.replace(/^\ufeff/, ''), [], { allowTrailingComma: true })
  const node = root && findNodeAtLocation(root, path as JSONPath)
  return node === undefined ? undefined : getNodeValue(node)
}
