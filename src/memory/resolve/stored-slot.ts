import type { MemoryItem } from '../item.ts'
import { knownValue, namedAttribute } from '../lexicon/lookup.ts'
import { stem } from '../statements/topic.ts'
import { withoutEndMark } from '../understand/sentences.ts'
import { findValues, isFunctionWord, isNameLike, type ValueKind } from '../understand/values.ts'
import { readWords, type Word } from '../understand/words.ts'

/** A value of an item, in a form that can be found in a later message. */
export interface HeldValue {
  readonly text: string
  readonly stems: readonly string[]
  readonly kind: ValueKind
  readonly sort?: string
}

/** What an item is about and which values it holds. */
export interface StoredSlot {
  /** Stems of the words that name the property, without the value. */
  readonly frame: ReadonlySet<string>
  /** The stem of the noun that names the property: `budget` of `the error budget`. */
  readonly head?: string
  /** The preposition before the main value: `from` in `labels come from Scale`. */
  readonly preposition?: string
  /** Stems of the attribute alone, when the item has one. */
  readonly attribute: ReadonlySet<string>
  /** The main value first. */
  readonly values: readonly HeldValue[]
}

/** The stem of a word, the same for `file` and `files`. */
export function root(lower: string): string {
  const word = lower.replace(/^#/, '')
  return stem(longForms.get(word) ?? word).replace(/(?<=..)e$/, '')
}

/** Short forms that developers use for a whole word. */
const longForms: ReadonlyMap<string, string> = new Map(
  'auth:authentication authn:authentication config:configuration configs:configuration conf:configuration db:database dbs:database repo:repository repos:repository docs:documentation env:environment envs:environment dev:development infra:infrastructure perf:performance deps:dependencies dir:directory dirs:directory msg:message msgs:message pkg:package lang:language param:parameter params:parameter var:variable vars:variable'
    .split(' ')
    .map((entry) => entry.split(':') as [string, string]),
)

const generic = new Set(
  'use us user project run runs live go have has had call called name named stor keep get make is are was do prefer like work number set main current default every each other thing way new all over uses used runs runn keeps kept does done goes gone lives makes made gets'
    .split(' ')
    .map((word) => root(word)),
)

export function contentStem({ lower }: Word): string | undefined {
  if ((lower.length < 2 && !/\d/.test(lower)) || isFunctionWord(lower)) return undefined
  return root(lower)
}

/** Splits `packageManager` and `package_manager` into words. */
export function plainWords(text: string): string {
  return text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/[_]+/g, ' ')
}

const objectFirst =
  /^(?:we |i |please |the user |user |still |now |currently |always |only |mostly )*(?:use[sd]?|using|adopt|choose|prefers?|support|build|target|follow|keep|allow|have|go with|want|write|return)\s+(?:the |a |an )?(?<value>.+?)(?:\s+(?:for|in|on|as|to|from|at|with|over|per|when|after|before|of|every|between|across|during|against|under|inside|within)\s+(?<rest>.+))?$/iu
const linked =
  /^(?<subject>.+?)\s+(?:is|are|was|were|'s|has|have|am|will be|should be)\s+(?:(?:called|named|written in|built with|stored in|owned by|done by|made by|set to|limited to|used in|planned for|valid|sent|kept|managed in|taken|on|in|at|an?|the|from|by|always|every|currently)\s+)*(?<value>\S.*)$/iu
/** `Keep uploads in S3`: the value is the place. */
const keptIn =
  /^(?:we |i |please )*(?:keep|store|save|put|host|run|deploy|track|log|send|write|build|manage|document|cache)\s+(?:the |our |all )?(?<rest>\p{L}[\p{L} -]*?)\s+(?:in|on|at|with|to|via|through)\s+(?:the |a |an )?(?<value>\S+(?:\s+\S+){0,2})$/iu
/** `Sarah is the scrum master`, `Sentry collects our errors`: the value is who or what does it. */
const heldBy =
  /^(?<name>\p{Lu}[\p{L}\p{N}.'-]+(?: \p{Lu}[\p{L}\p{N}.'-]+)?) (?!(?:uses|has|needs|gets|was|does)\b)\p{Ll}+s (?:the|our|my) \p{Ll}[\p{L} -]+$/u
const placed =
  /^(?<rest>.+)\s(?:with|in|on|to|through|from|after|as|at|by|via|for|over|into|under)\s+(?:the |a |an )?(?<value>\S+(?:\s+\S+){0,2})$/iu

/** What an item is about. Items with a key name it; others are read from their text. */
export function readSlot(item: MemoryItem): StoredSlot {
  const text = withoutEndMark(item.text).replace(decided, '')
  const main = mainValue(item, text)
  const { words } = readWords(text)
  const held: HeldValue[] = main === undefined ? [] : [heldValue(main)]
  const named = new Set((item.attribute ?? '').split(/[^\p{L}\p{N}]+/u))
  for (const found of findValues(words)) {
    // In `our main branch is called master`, `main` belongs to the property.
    const isOfProperty = found.kind === 'name' && named.has(words[found.end]?.lower ?? '')
    if (!isOfProperty) held.push(heldAs(found.text, found.kind, found.sort))
  }
  const bare = /^(?<name>.*\p{L}.*)\s+v?\d[\d.]*$/u.exec(main ?? '')?.groups?.name
  if (bare !== undefined) held.push(heldValue(bare))
  for (let at = 0; at < words.length; at++)
    if (isNameLike(words, at) && !held.some(({ stems }) => stems.includes(root(words[at]!.lower))))
      held.push(heldValue(words[at]!.text))
  const taken = new Set(held[0]?.stems ?? [])
  const attribute = stemsOf(plainWords(item.attribute ?? ''))
  const all = [...attribute, ...[...stemsOf(text)].filter((word) => !taken.has(word))]
  const specific = all.filter((word) => !generic.has(word))
  // `We use Sentry` has no property, and other sentences with `use` are not about it.
  const frame = new Set(specific.length > 0 ? specific : all.filter((word) => word !== 'us'))
  const head = headOf(item, text, frame)
  const before = main === undefined ? -1 : text.lastIndexOf(main)
  const preposition =
    /\b(?<word>from|in|on|at|to|with|by|through|via|as|into|for)\s+(?:the |a |an )?$/iu
      .exec(text.slice(0, Math.max(0, before)))
      ?.groups?.word?.toLowerCase()
  return {
    frame,
    ...(preposition === undefined ? {} : { preposition }),
    ...(head === undefined ? {} : { head }),
    attribute: new Set([...attribute].filter((word) => !generic.has(word))),
    values: held,
  }
}

/** `We decided to use Kafka`: that it was decided says nothing about the property. */
const decided =
  /^(?:decision:\s*|(?:i|we|the team)(?:'ve| have)? (?:decided|agreed|opted|voted|chose) (?:to|on|for)\s+)/iu

/** The value that an item gives. A choice without a property is kept as a phrase: `store images in S3`. */
function mainValue({ kind, attribute, value }: MemoryItem, text: string): string | undefined {
  if (value === undefined) return withoutNoun(valueIn(text))
  if (kind !== 'decision' || attribute !== undefined || !/\s/.test(value)) return value
  return valueIn(value) ?? findValues(readWords(value).words)[0]?.text ?? value
}

function headOf(
  { attribute }: MemoryItem,
  text: string,
  frame: ReadonlySet<string>,
): string | undefined {
  const named =
    attribute ?? linked.exec(text)?.groups?.subject ?? objectFirst.exec(text)?.groups?.rest
  const noun = plainWords(named ?? '').split(/\s(?:of|for|in|on|at|to|that)\s/u)[0] ?? ''
  return [...stemsOf(noun)].findLast((word) => frame.has(word))
}

function stemsOf(text: string): ReadonlySet<string> {
  return new Set(readWords(text).words.flatMap((word) => contentStem(word) ?? []))
}

/** In `focal length of 800 mm` and `cleaned yearly` the value is what is counted or dated. */
function typedEnd(value: string): string | undefined {
  const { words } = readWords(value)
  const last = findValues(words).at(-1)
  if (last === undefined || last.kind === 'name' || last.end < words.length || last.start === 0)
    return undefined
  const before = words.slice(0, last.start)
  const isParticiple = before.length === 1 && /^\p{Ll}+ed$/u.test(before[0]!.text)
  return isParticiple || before.at(-1)!.lower === 'of' ? last.text : undefined
}

/** `The cluster runs version 1.27` */
function endingFigure(text: string): string | undefined {
  const { words } = readWords(text)
  const last = findValues(words).at(-1)
  return last !== undefined && last.kind !== 'name' && last.end === words.length
    ? last.text
    : undefined
}

/** In `listens on port 8080` the value is the number and `port` says what it is. */
function withoutNoun(value: string | undefined): string | undefined {
  const typed = value === undefined ? undefined : typedEnd(value)
  if (typed !== undefined) return typed
  const { noun, figure } =
    /^(?<noun>\p{Ll}+)\s+(?<figure>v?\d[\d.:]*)$/u.exec(value ?? '')?.groups ?? {}
  return noun === undefined || knownValue(noun) !== undefined ? value : figure
}

function valueIn(text: string): string | undefined {
  const holder = heldBy.exec(text)?.groups?.name
  if (holder !== undefined) return holder
  const match =
    keptIn.exec(text) ?? objectFirst.exec(text) ?? linked.exec(text) ?? placed.exec(text)
  if (match === null) return endingFigure(text)
  const { value: said, rest } = match.groups ?? {}
  // `Keep audit logs for one year`: the figure is the value.
  // `We use maps from Mapbox`: the value is the name.
  const name = /\s(?:from|via|through|with|by|on)\s+(?<name>\p{Lu}\S*(?:\s\p{Lu}\S*)?)$/u.exec(text)
    ?.groups?.name
  if (name !== undefined && said !== undefined && isPlain(said)) return name
  const [figure] = rest === undefined || !keeps.test(text) ? [] : findValues(readWords(rest).words)
  const value = figure === undefined || figure.kind === 'name' ? said?.trim() : figure.text
  return value === undefined || value.split(/\s+/).length > 5 ? undefined : value
}

function isPlain(text: string): boolean {
  return /^\p{Ll}+$/u.test(text) && knownValue(text) === undefined
}

const keeps = /^(?:we |i |please )*(?:keep|allow|have)\b/i

function heldValue(text: string): HeldValue {
  const [found] = findValues(readWords(text).words)
  const whole = found !== undefined && found.text.length >= text.length - 2
  // `Raspberry Pi 4` is a name, `3 replicas` a number.
  const isNamed = /^\p{Lu}.*\p{L}\s+v?\d[\d.]*$/u.test(text)
  return heldAs(
    text,
    found === undefined || isNamed ? 'name' : whole || found.kind !== 'name' ? found.kind : 'name',
    found?.sort ?? knownValue(text)?.attribute.name,
  )
}

function heldAs(text: string, kind: ValueKind, sort: string | undefined): HeldValue {
  const stems = readWords(text).words.flatMap((word) => {
    const found = contentStem(word)
    return found === undefined || /^(?:not|no|only)$/.test(word.lower) ? [] : [found]
  })
  return { text, stems, kind, ...(sort === undefined ? {} : { sort }) }
}

/** The lexicon attribute that an item is about, by its key or by its value. */
export function lexiconAttribute(item: MemoryItem, slot: StoredSlot): string | undefined {
  const named =
    item.attribute === undefined ? undefined : namedAttribute(plainWords(item.attribute))
  const ofValue = knownValue(slot.values[0]?.text ?? '')?.attribute.name
  return ofValue ?? named?.name ?? slot.values[0]?.sort
}
