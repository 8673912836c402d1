import type { MemoryItem } from '../item.ts'
import { namedAttribute } from '../lexicon/lookup.ts'
import { isAboutOtherKind } from './subject.ts'

/** Parts of a project, and occasions. A statement about one of them does not apply to another. */
const partWords =
  /\b(?:back-?end|front-?end|staging|stage|production|prod|development|dev(?= (?:machines?|environment|server|cluster|database|db|setup)\b)|locally|local|ci|docs? site|mobile|desktop|web|ios|android|watch|tablet|server|client|worker|admin|cli|sdk|public|internal|legacy|unit|integration|e2e|end-to-end|browser|load|nightly|weekly|daily|debug|release|read replica|primary|replica|free|pro|upload|download|training|evaluation|inference|firmware|bootloader|at work|for work|day job|at home|home|office|laptop|projector|side project|hobby|private|personal|own (?:repos?|projects?|stuff|machine)|free time|for fun|weekends?|weekdays?|importer|exporter|importing|exporting|north|south|morning|evening|(?:old|new) (?:repos?|code|app|system|site|projects?))\b/giu
const regions =
  /\b(?:[Ii]n|[Ff]or) (?:the )?(?:EU|US|UK|APAC)\b|\b(?:EU|US|UK|APAC) (?:clusters?|region|customers|team|office|site|version)\b/gu
const forWhat =
  /\b(?:for|in|on)\s+(?:the\s+|our\s+|my\s+)?(?<part>[\p{L}][\p{L}-]*(?:\s(?:files?|repo|service|app|team|plan|branches|tests|job|panel|site))?)(?=\s*(?:$|[,.;!]|\b(?:now|instead|please|and|we|i|use|it)\b))/giu
const namedPart =
  /(?<!\bto\s)\b(?:the|our|my|in)\s+(?<part>[\p{L}][\p{L}-]+)\s+(?:service|team|app|panel|site|repo|job|cluster|region|files?|plan|branch(?:es)?|column|builds?)\b/giu

/** Times that contain the name of a part: `since the weekend`, `from this release on`. */
const when =
  /\bsince (?:the |my |our |this )?(?:new |last )?\p{L}+|\b(?:since|over|until|by|before|after|this|last|next|yesterday|from|with|as of|starting)\s+(?:the\s+|this\s+|next\s+|last\s+)*(?:weekend|morning|evening|release)\b/giu

function partsOf(said: string): ReadonlySet<string> {
  const text = said.replace(when, '')
  const found = new Set<string>()
  for (const [part] of text.matchAll(partWords)) found.add(normal(part))
  for (const [region] of text.matchAll(regions)) found.add(normal(region))
  for (const match of text.matchAll(namedPart))
    if (!/^(?:new|old|whole|same|other|current)$/i.test(match.groups!.part!))
      found.add(normal(match.groups!.part!))
  return found
}

function normal(part: string): string {
  return part
    .toLowerCase()
    .replace(/-/g, '')
    .replace(/^prod$/, 'production')
    .replace(/^stage$/, 'staging')
    .replace(/^dev$/, 'development')
    .replace(/s$/, '')
}

function purposesOf(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(forWhat)].map(({ groups }) => normal(groups!.part!)))
}

/**
 * Whether a sentence is about another part or occasion than an item: `the worker runs on 3001` says nothing about the
 * port of the API.
 */
export function isAboutOtherPart(
  sentence: string,
  item: MemoryItem,
  namesOldValue: boolean,
): boolean {
  const about = `${item.subject ?? ''} ${item.attribute ?? ''} ${item.text} ${item.source.quote ?? ''}`
  const said = partsOf(sentence)
  const known = partsOf(about)
  const nouns = item.attribute === undefined ? [] : (namedAttribute(item.attribute)?.nouns ?? [])
  const plain = `${about} ${nouns.join(' ')}`.toLowerCase().replace(/-/g, '')
  const foreign = [...said].filter((part) => !plain.includes(part))
  if (isAboutOtherKind(sentence, item.source.quote ?? item.text)) return true
  if (foreign.length > 0 && (known.size > 0 || !namesOldValue))
    return ![...known].some((part) => said.has(part))
  return false
}

/** Whether two statements name different purposes: `for linting` and `for formatting`. */
export function isForOtherPurpose(sentence: string, item: MemoryItem): boolean {
  const about = `${item.text} ${item.source.quote ?? ''}`
  const said = purposesOf(sentence)
  const known = purposesOf(about)
  return said.size > 0 && known.size > 0 && ![...said].some((part) => known.has(part))
}

/** The part or purpose that a sentence names. */
export function partIn(sentence: string): string | undefined {
  return [...partsOf(sentence)][0] ?? [...purposesOf(sentence)][0]
}
