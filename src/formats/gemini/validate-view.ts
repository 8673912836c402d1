import { arrayOf, type JsonObject, objectOf } from '../../core/words/json.ts'
import type { Violation } from '../format.ts'
import { violationOf } from '../rule.ts'
import { contentsRequired } from './rules.ts'
import { memberOf, stringOf } from './spelling.ts'

export type PartKind = 'call' | 'response' | 'thought' | 'text' | 'data' | 'other' | 'empty'

export interface PlacedPart {
  readonly where: string
  readonly kind: PartKind
  readonly part: JsonObject
  /** The function call, response or data of the part. */
  readonly held: JsonObject
  readonly signature: string
}

export interface PlacedContent {
  readonly index: number
  readonly where: string
  readonly role: string
  readonly content: JsonObject
  readonly parts: readonly PlacedPart[]
}

/** Consecutive contents of one role. */
export interface Turn {
  readonly role: string
  readonly contents: readonly PlacedContent[]
}

/** Keys of a part that are not its data. */
const METADATA_KEYS: ReadonlySet<string> = new Set([
  'thought',
  'partMetadata',
  'part_metadata',
  'videoMetadata',
  'video_metadata',
  'mediaResolution',
  'media_resolution',
])

export interface GeminiRequest {
  readonly body: JsonObject
  readonly contents: readonly PlacedContent[]
}

/** Reads the contents of a request, also if a client wraps it as `{model, request: {contents}}`. */
export function view(body: JsonObject): GeminiRequest | Violation {
  const contents = body.contents ?? objectOf(body.request).contents
  if (!Array.isArray(contents)) return violationOf(contentsRequired, 'contents')
  return { body, contents: viewContents(contents) }
}

function viewContents(contents: readonly unknown[]): readonly PlacedContent[] {
  return contents.map((entry, index) => {
    const content = objectOf(entry)
    const where = `contents[${index}]`
    const role = typeof content.role === 'string' && content.role !== '' ? content.role : 'user'
    const parts = arrayOf(content.parts).map((part, position) =>
      viewPart(objectOf(part), `${where}.parts[${position}]`),
    )
    return { index, where, role, content, parts }
  })
}

function viewPart(part: JsonObject, where: string): PlacedPart {
  const call = memberOf(part, 'functionCall', 'function_call')
  const response = memberOf(part, 'functionResponse', 'function_response')
  const data = memberOf(part, 'inlineData', 'inline_data', 'fileData', 'file_data')
  const held = (call ?? response ?? data)?.value ?? {}
  const signature = stringOf(part, 'thoughtSignature', 'thought_signature')
  const place = { where, part, held, signature }
  if (call !== null) return { ...place, kind: 'call' }
  if (response !== null) return { ...place, kind: 'response' }
  if (typeof part.text === 'string') return { ...place, kind: textKind(part) }
  return { ...place, kind: data === null ? otherKind(part) : 'data' }
}

function textKind(part: JsonObject): PartKind {
  return part.thought === true ? 'thought' : 'text'
}

function otherKind(part: JsonObject): PartKind {
  return Object.keys(part).every((key) => METADATA_KEYS.has(key)) ? 'empty' : 'other'
}

export function turnsOf(contents: readonly PlacedContent[]): readonly Turn[] {
  const turns: { role: string; contents: PlacedContent[] }[] = []
  for (const content of contents) {
    const role = content.role === 'model' ? 'model' : 'user'
    const last = turns.at(-1)
    if (last !== undefined && last.role === role) last.contents.push(content)
    else turns.push({ role, contents: [content] })
  }
  return turns
}

export function partsOf(turn: Turn | undefined, kind: PartKind): readonly PlacedPart[] {
  return (turn?.contents ?? []).flatMap(({ parts }) => parts.filter((part) => part.kind === kind))
}
