import { knownValue, leadingValue } from '../lexicon/lookup.ts'
import { namesContrast, namesNewValue } from './correction-cues.ts'

/** A stated change: the newer thing, the older one, or both, in the user's own words. */
export interface Replacement {
  readonly old?: string
  readonly new?: string
}

/** A thing's name: a few words without a pause. */
const thing = String.raw`(?:[^\s,;:.!?()—–]|\.(?=\w)|[:](?=\w))+(?:\s+(?:[^\s,;:.!?()—–]|\.(?=\w)|[:](?=\w))+){0,5}?`
const end = String.raw`(?=\s*(?:$|[,;:.!?()—–]|\s-\s|\b(?:instead|now|please|anymore|any more|from now on|going forward|because|since|as of|a while|ago|recently|already|anyway|though|here|and|but|so|for|in|on|when|where|while|everywhere|across|which|who|that|then|too|again|last|this|next|yesterday|today|after|before|at|due|per|with)\b))`
const oldThing = `(?<old>${thing})`
const newThing = `(?<new>${thing})`
const useWords = String.raw`(?:(?:please|just|let's|lets|we|i|you)\s+)*(?:should\s+|will\s+|can\s+|now\s+|can\s+)?(?:use|using|do|go\s+with|going\s+with|try|pick|choose|take|prefer|want|switch\s+to|make\s+it|it's|it\s+is|have|be|say|run)\s+`
const move = `(?:switch|switched|switching|move|moved|moving|migrate|migrated|migrating|change|changed|changing|convert|converted|converting|transition|transitioned|transitioning|go|went|going|gone|upgrade|upgraded|upgrading|downgrade|downgraded|rename|renamed)`

function pattern(source: string): RegExp {
  return new RegExp(source, 'iu')
}

/** Tried in this order: patterns that name both sides come first. */
const patterns: readonly RegExp[] = [
  pattern(
    String.raw`\b${move}\b(?:\s+(?:it|this|that|everything|over|away|the\s+\w+|our\s+\w+(?:\s\w+)?|my\s+\w+(?:\s\w+)?))?\s+from\s+${oldThing}\s+(?:over\s+|back\s+)?(?:to|onto|into)\s+(?:using\s+)?${newThing}${end}`,
  ),
  pattern(
    String.raw`\b(?:replace|replaced|replacing|swap|swapped|swapping)\s+(?:out\s+)?${oldThing}\s+(?:with|by|for)\s+${newThing}${end}`,
  ),
  pattern(
    String.raw`\b(?:instead\s+of|rather\s+than|in\s+place\s+of)\s+(?:using\s+)?${oldThing}\s*[,—–-]+\s*(?:${useWords})?${newThing}${end}`,
  ),
  pattern(
    String.raw`\b(?:not|don't\s+use|do\s+not\s+use|stop\s+using|no\s+more|never\s+use|avoid)\s+${oldThing}\s*[,;.—–-]+\s*(?:but\s+|and\s+)?(?:rather\s+|instead\s+)?(?:${useWords}|but\s+|rather\s+)${newThing}${end}`,
  ),
  pattern(
    String.raw`\b(?:not|isn't|aren't)\s+${oldThing}\s+but\s+(?:rather\s+)?(?:${useWords})?(?!of\b|it\b|that\b|the\b|this\b|i\b|we\b|you\b|there\b)${newThing}${end}`,
  ),
  pattern(
    String.raw`\b(?:no\s+longer|don't|do\s+not|stopped|not)\s+(?:use|using|run|running|be\s+using|support|need)\s+${oldThing}(?:\s+(?:anymore|any\s+more|any\s+longer))?\s*[,;.—–-]+\s*(?:but\s+|and\s+)?(?:now\s+)?(?:(?:it's|it\s+is|that's)\s+(?:now\s+|all\s+)?|(?:it's|it\s+is|we're|we\s+are|we|i'm|i)?\s*(?:now\s+|all\s+)?(?:use|using|on|run|running|switched\s+to|moved\s+to|have)\s+)${newThing}${end}`,
  ),
  pattern(
    String.raw`\b(?:is|are)\s+no\s+longer\s+${oldThing}\s*[,;.—–-]+\s*(?:but\s+|and\s+)?(?:it's|it\s+is|they're|they\s+are|now|but)\s+(?:now\s+)?${newThing}${end}`,
  ),
  pattern(
    String.raw`\b(?:moved|moving|switched|switching|migrated|migrating)\s+(?:off|away\s+from|off\s+of)\s+${oldThing}(?:\s+(?:and\s+)?(?:to|onto|in\s+favou?r\s+of)\s+(?:using\s+)?|\s*[,;—–-]+\s*(?:we|i|it)?(?:'re|'m|'s)?\s*(?:now\s+|are\s+|am\s+|is\s+)*(?:use|using|on)\s+(?:now\s+)?)${newThing}${end}`,
  ),
  pattern(
    String.raw`\b(?:dropped|dropping|drop|ditched|ditching|ditch|abandoned|abandoning|abandon|retired|retiring)\s+(?!support)${oldThing}\s+(?:for|in\s+favou?r\s+of)\s+${newThing}${end}`,
  ),
  pattern(
    String.raw`\b(?:prefer|use|using|want|chose|choose|pick|picked|like|go\s+with|going\s+with)\s+${newThing}\s+(?:over|instead\s+of|rather\s+than|in\s+place\s+of|as\s+opposed\s+to)\s+(?:using\s+)?${oldThing}${end}`,
  ),
  pattern(String.raw`\bprefer\s+${newThing}\s+to\s+${oldThing}${end}`),
  pattern(
    String.raw`\b(?:i|we)\s+(?:like|love|enjoy)\s+${newThing}\s+(?:better|more)\s+than\s+${oldThing}${end}`,
  ),
  pattern(
    String.raw`\b(?:use|using|prefer|want|wanted|need|meant|it's|is|are|was|be|on|with|say|said|called|named|in)\s+${newThing}\s*[,—–-]+\s*not\s+${oldThing}${end}`,
  ),
  pattern(String.raw`^(?:no[,\s]+)?${newThing}\s*[,—–-]+\s*not\s+${oldThing}[.!]*$`),
  pattern(
    String.raw`\b(?:${namesContrast})[,:]?\s+${newThing}\s*[,—–-]*\s*not\s+${oldThing}${end}`,
  ),
  pattern(
    String.raw`\b(?:${namesNewValue})[,:]?\s+(?!to\b|that\b|what\b|it\b|for\b|this\b|the\s+other\b)${newThing}${end}`,
  ),
  pattern(
    String.raw`\b(?:i|we|we've|i've|have|has|just|recently|finally|team|project)\s+(?:just\s+|recently\s+|finally\s+|already\s+|since\s+|now\s+)*(?:switched|moved|migrated|transitioned|converted|gone\s+back|went\s+back|moved\s+back|reverted)\s+(?:over\s+|back\s+|everything\s+|it\s+all\s+)?(?:to|onto)\s+(?:using\s+)?${newThing}${end}`,
  ),
  pattern(
    String.raw`\b(?:let's|lets|let\s+us|please|we\s+should|we\s+will|we'll|i'll|i\s+will|we're|we\s+are|i'm|i\s+am)\s+(?:now\s+|just\s+|all\s+)*(?:switch|switching|move|moving|migrate|migrating|change|changing|go|going)\s+(?:over\s+|back\s+)?(?:to|onto)\s+(?:using\s+)?${newThing}${end}`,
  ),
  pattern(
    String.raw`^(?:(?:ok|okay|actually|no|please|so|then)[,\s]+)*(?:switch|change|move|migrate)\s+(?:over\s+|back\s+)?to\s+(?:using\s+)?${newThing}${end}`,
  ),
  pattern(
    String.raw`\b(?:from\s+now\s+on|going\s+forward|henceforth)[,\s]+(?:${useWords})${newThing}${end}`,
  ),
  pattern(
    String.raw`\b(?:use|using|do|go\s+with)\s+${newThing}\s+(?:from\s+now\s+on|going\s+forward|instead|from\s+here\s+on)\b`,
  ),
  pattern(
    String.raw`\b(?:i|we|it|project|team|repo)(?:'m|'re|'s|\s+am|\s+are|\s+is)?\s+(?:all\s+)?(?:use|using|on)\s+${newThing}\s+now\b`,
  ),
  pattern(String.raw`\bnow\s+(?:we|i)\s+(?:use|are\s+using|'re\s+using)\s+${newThing}${end}`),
]

/** Wordings that count only with a known value: `back on yarn`, not `back on track`. */
const returns: readonly RegExp[] = [
  pattern(
    String.raw`\b(?:we|i|we've|i've|project|repo|team)\s+(?:(?:have|has|just|finally|recently|already)\s+)*(?:upgraded|downgraded|updated)\s+(?:everything\s+|it\s+all\s+)?to\s+${newThing}${end}`,
  ),
  pattern(
    String.raw`\b(?:we|i)(?:'re|'m|\s+are|\s+am|\s+went|\s+have\s+gone|\s+moved)\s+(?:all\s+)?back\s+(?:on|to)\s+(?:using\s+)?${newThing}${end}`,
  ),
  pattern(
    String.raw`\b(?:we|i|we've|i've|we're|i'm)\s+(?:(?:are|am|have|just|now|finally)\s+)*(?:rewriting|rewrote|rewritten|rebuilding|rebuilt|redoing|porting|ported)\s+(?:(?:the|our|my)\s+\w+|everything|it(?:\s+all)?)\s+(?:in|to|with|using)\s+${newThing}${end}`,
  ),
]

/** `2 spaces, never tabs`, `no tabs, 2 spaces`: only where both are values of one property. */
const contrasts: readonly RegExp[] = [
  pattern(String.raw`^(?:please\s+)?${newThing}\s*[,—–-]+\s*(?:never|no)\s+${oldThing}[.!]*$`),
  pattern(
    String.raw`^(?:please\s+)?no\s+${oldThing}\s*[,—–-]+\s*(?:just\s+|only\s+)?${newThing}(?:\s+please)?[.!]*$`,
  ),
]

/** An end without a successor: `we no longer use X`, `moved off X`. */
const endings: readonly RegExp[] = [
  pattern(
    String.raw`\b(?:our|my|the)\s+[\p{L}][\p{L} ]{1,30}?\s+(?:is|are)\s+no\s+longer\s+${oldThing}${end}`,
  ),
  pattern(
    String.raw`\b(?:i|we|project|team|repo|it)(?:'ve|'re|'m|\s+have|\s+are|\s+am)?\s+(?:no\s+longer|stopped|don't|do\s+not|doesn't|quit)\s+(?:use|uses|using|run|running|support|supporting|rely\s+on|work\s+with|(?:deploy|build|test|format|lint|bundle|host)\s+(?:with|on|to|using))\s+${oldThing}(?:\s+(?:anymore|any\s+more|any\s+longer|at\s+all))?${end}`,
  ),
  pattern(
    String.raw`\b(?:i|we|i've|we've|i'm|we're)\s+(?:have\s+|are\s+|am\s+|just\s+|finally\s+)*(?:mov(?:ed|ing)\s+off(?:\s+of)?|mov(?:ed|ing)\s+away\s+from|got\s+rid\s+of|dropped|ditched|abandoned|stopped\s+using|removed|retired)\s+${oldThing}${end}`,
  ),
]

const negation =
  /(?:\b(?:not|never|no need to|without|cannot|refuse to|avoid|instead of|rather than|no plans to)|n't)\s+(?:\w+\s+){0,2}$/i

/** The changes that a sentence states, at most one of each kind. */
export function findReplacements(sentence: string): readonly Replacement[] {
  for (const candidate of patterns) {
    const match = candidate.exec(sentence)
    if (!match?.groups || isNegated(sentence, match)) continue
    const newer = cleanThing(match.groups.new)
    const older = cleanThing(match.groups.old)
    if (newer === undefined || /ing$/.test(older ?? '')) continue
    return [older === undefined ? { new: newer } : { old: older, new: sameSort(newer, older) }]
  }
  for (const candidate of returns) {
    const newer = cleanThing(candidate.exec(sentence)?.groups?.new)
    const words = newer?.toLowerCase().split(/\s+/) ?? []
    const rest = words.slice(leadingValue(words)?.length ?? 0)
    if (newer !== undefined && rest.length < words.length && rest.every(isVersion))
      return [{ new: newer }]
  }
  for (const candidate of contrasts) {
    const match = candidate.exec(sentence)
    const [newer, older] = [cleanThing(match?.groups?.new), cleanThing(match?.groups?.old)]
    const attribute = newer === undefined ? undefined : knownValue(newer)?.attribute
    const isListed = /\bnever\b/i.test(sentence) || attribute?.category === 'style'
    if (isListed && attribute !== undefined && knownValue(older ?? '')?.attribute === attribute)
      return [{ old: older!, new: newer! }]
  }
  for (const candidate of endings) {
    const match = candidate.exec(sentence)
    const older = cleanThing(match?.groups?.old)
    if (older !== undefined) return [{ old: older }]
  }
  return []
}

/** In `production runs MySQL, not Postgres`, MySQL replaces Postgres. */
function sameSort(newer: string, older: string): string {
  const attribute = knownValue(older)?.attribute
  if (attribute === undefined) return newer
  const words = newer.split(/\s+/)
  for (let start = 0; start < words.length; start++)
    for (let end = words.length; end > start; end--) {
      const part = words.slice(start, end).join(' ')
      if (knownValue(part)?.attribute === attribute) return withVersion(part, words[end])
    }
  return newer
}

function withVersion(value: string, next: string | undefined): string {
  return next !== undefined && isVersion(next) ? `${value} ${next}` : value
}

function isVersion(word: string): boolean {
  return /^v?\d[\d.]*$/i.test(word)
}

function isNegated(sentence: string, match: RegExpExecArray): boolean {
  return negation.test(sentence.slice(0, match.index)) && !/^(?:not|don't|no)\b/i.test(match[0])
}

const leading =
  /^(?:(?:to|use|using|the|a|an|our|my|with|just|only|be|being|it|is|go|going|have|having|do|doing|rather|instead|please|actually)\s+)+/i
const trailing =
  /(?:\s+(?:instead|now|please|again|anymore|any more|from now on|going forward|too|as well|entirely|completely|everywhere))+$/i
const empty =
  /^(?:that|this|it|these|those|them|one|something|anything|everything|nothing|what|there|here|sure|so|yet|only|just|\d|option \w+|the (?:first|second|third|last|other|former|latter|next)(?: \w+)?|first|second|former|latter)$/i

/** The name without the words around it; undefined when no name is left. */
export function cleanThing(phrase: string | undefined): string | undefined {
  const cleaned = phrase
    ?.trim()
    .replace(leading, '')
    .replace(trailing, '')
    .replace(/^["'“”‘’`]+|["'“”‘’`]+$/g, '')
    .trim()
  return cleaned === undefined || cleaned === '' || empty.test(cleaned) ? undefined : cleaned
}
