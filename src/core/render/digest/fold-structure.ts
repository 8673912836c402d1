import { cutMark } from '../marks.ts'
import { indentOf } from './clean-lines.ts'
import { indexNames } from './name-index.ts'

export interface FoldOptions {
  /** The length of the folded text, unless its signatures alone are longer. */
  readonly targetChars: number
  /** A longer folded text is not used. */
  readonly mostChars?: number
  /** How to restore the original, for example `context_restore a1b2c3`; each fold adds its lines, `a1b2c3:12-45`. */
  readonly recall: string
}

/** A body of fewer characters is not worth a fold. */
const leastFold = 160
/** The share of the room for names that only folded bodies contain. */
const indexShare = 0.25

/**
 * A file's text with its signatures kept and bodies folded, each fold with its own handle. null when the text has no
 * structure or nothing to fold.
 */
export function foldStructure(text: string, options: FoldOptions): string | null {
  const { mostChars = text.length } = options
  const lines = text.split('\n')
  const bodies = readBodies(lines)
  if (bodies === null) return null
  const indexChars = Math.floor(options.targetChars * indexShare)
  const excess = text.length - options.targetChars + indexChars
  const folded = chooseFolds(bodies, excess)
  if (folded.size === 0) return null
  const shown: string[] = []
  const leftOut: string[] = []
  let at = 0
  for (const body of [...folded].toSorted((a, b) => a.first - b.first)) {
    shown.push(...lines.slice(at, body.first))
    shown.push(cutMark.fold(body.first + 1, body.last + 1, options.recall, leftOut.length === 0))
    leftOut.push(body.text)
    at = body.last + 1
  }
  const signatures = [...shown, ...lines.slice(at)].join('\n').trimEnd()
  if (signatures.length > mostChars) return null
  const { names, more } = indexNames(leftOut, signatures, { chars: indexChars })
  const withNames =
    names.length === 0
      ? signatures
      : `${signatures}\n${cutMark.write(cutMark.leftOutNames(names, more))}`
  return withNames.length < text.length && withNames.length <= mostChars ? withNames : null
}

/** Folds the largest bodies first, because a small one is as likely to be edited and saves less. */
function chooseFolds(bodies: readonly Body[], excess: number): ReadonlySet<Body> {
  const folded = new Set<Body>()
  let left = excess
  for (const body of bodies.toSorted((a, b) => b.text.length - a.text.length)) {
    if (left <= 0) break
    if (body.text.length < leastFold) continue
    folded.add(body)
    left -= body.text.length
  }
  return folded
}

/** The lines between one signature of a file and the next. */
interface Body {
  /** Lines from 0, including the last. */
  readonly first: number
  readonly last: number
  readonly signature: string
  readonly text: string
}

/** The line numbers that agents and programs print before lines. */
const numbers = /\s*L?\d{1,7}(?:→|\t|\||[:.] ?| {2})/y
const declaration =
  /^(?:export|import|from|package|use|using|module|namespace|declare|type|const|let|var|val|record|object|macro_rules!|#define|#include|#{1,6} |\[[^\]]+\]$)/
/** Signatures that may also be one level deeper: methods, tests, and types inside a module or class. */
const inner =
  /^(?:public|private|protected|internal|static|abstract|final|async|default|function|func|fn|pub|def|class|interface|struct|enum|trait|impl|get |set |@\w+|describe\(|it\(|test\()/
/** A method without a keyword, or a key with a block. */
const member =
  /^(?:(?!(?:if|for|while|switch|catch|with)\b)[A-Za-z_$#][\w$]*\s*\([^;]*\{|[\w"'-]+:\s*(?:[{[(]?|\|))$/
const deepest = 4

/** The bodies of a file's text; null when it has too few signatures. */
function readBodies(lines: readonly string[]): readonly Body[] | null {
  const bare = lines.map(withoutNumber)
  const indents = bare.map(indentOf)
  const unit = indentUnit(bare, indents)
  const starts: number[] = []
  for (let at = 0; at < bare.length; at++) {
    if (isSignature(bare[at] as string, indents[at] as number, unit)) starts.push(at)
  }
  if (starts.length < 4 || starts.length * 80 < lines.length) return null
  return starts.flatMap((start, index) => {
    const next = starts[index + 1] ?? lines.length
    const first = start + 1
    // The lines that close a body and the last lines of the result are not part of a body.
    let last = next - 1
    while (last >= first && isClosing(bare[last] as string)) last--
    if (index === starts.length - 1) last = Math.min(last, lines.length - 4)
    if (last < first) return []
    const text = lines.slice(first, last + 1).join('\n')
    return [{ first, last, signature: lines[start] as string, text }]
  })
}

function withoutNumber(line: string): string {
  const start = line.slice(0, 400)
  numbers.lastIndex = 0
  return numbers.test(start) ? start.slice(numbers.lastIndex) : start
}

function isSignature(line: string, indent: number, unit: number): boolean {
  const depth = indent / unit
  if (depth > 1 || indent === line.length) return false
  const trimmed = line.slice(indent)
  if (inner.test(trimmed) || member.test(trimmed.trimEnd())) return true
  return depth === 0 && declaration.test(trimmed)
}

function isClosing(line: string): boolean {
  return /^(?:[)\]}>]+[;,]?|end|\*\/|"""|''')?$/.test(line.trim())
}

/** The indentation of one level: the smallest of any line. */
function indentUnit(bare: readonly string[], indents: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < bare.length; at++) {
    const line = bare[at] as string
    const indent = indents[at] as number
    if (indent === 0 || indent >= least || indent === line.length) continue
    if (!line.startsWith('*', indent)) least = indent
  }
  return Math.min(Math.max(1, least), deepest)
}
