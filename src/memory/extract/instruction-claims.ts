import { leadIn, leadInWith } from '../understand/lead-in.ts'
import { withoutEndMark } from '../understand/sentences.ts'
import { isFunctionWord } from '../understand/values.ts'
import { readWords } from '../understand/words.ts'
import type { Claim, Owner } from './claim.ts'

const standing = new RegExp(
  String.raw`^${leadInWith('no')}(?:(?:from now on|going forward|in (?:the )?future|henceforth|for future reference|as a rule|as a matter of principle|in general|generally|always remember to|always|never|don't (?:you )?ever|do not ever|please always|please never|(?:you|we) (?:should|must|have to|need to) (?:always|never)(?=\s+(?:run|write|use|add|ask|check|commit|push|update|format|lint|test|keep|follow|prefer|avoid|document|read|explain|answer|review|deploy|merge|touch|edit|delete)\b)|remember(?: that| to)|make sure (?:to|you|that you) (?:always|never)|keep in mind(?: that)?)[,:\s]+)(?<rule>.+)$`,
  'iu',
)
const wanted = new RegExp(
  String.raw`^${leadIn}i\s+(?:always|never|generally|usually|really don't|don't ever)\s+(?:want|like|prefer|write|put|use|need|commit|expect|record|work|develop|deploy|test|format|review|squash|rebase|name|indent|build|ship|draw|print|publish)\s+(?<rule>.+)$`,
  'iu',
)
/** `For new endpoints always add an OpenAPI entry`, `in this repo we don't use enums`, `keep functions under 40 lines`. */
const rules: readonly RegExp[] = [
  /^(?:for|in|on|when|whenever|before|after|with)\s+.{3,50}?,?\s+(?:please\s+)?(?:always|never)\s+\p{L}+/iu,
  /^when(?:ever)? (?:you|we|i)\s+.{3,50}?\balways[.!]*$/iu,
  /^(?:whenever|(?:each|every|any) time) (?:you|we|i)\s+.{3,60}?,\s+(?:please\s+|also\s+|first\s+)*(?!(?:i|we|it|the|there|this|that|you|they)\b)\p{L}+/iu,
  /^(?:every|each|all)\s+.{3,60}? in (?:this|the|our|my) (?:repo|repository|project|codebase|code base|app|thesis|paper|book|course|site)\s+(?:must|has to|have to|needs?)\s+(?!to be fixed)\p{L}+/iu,
  /\b(?:in|for) (?:this|the|our|my) (?:repo|repository|project|codebase|code base|team|company|app)\b(?!.*\b(?:there (?:is|are)|there's|i (?:see|find|found|get)|has|have)\b).*\b(?:don't|do not|never|always|only|forbidden|not allowed|no (?!big|problem|idea|need|one|way))\b/iu,
  /\b(?:we|i) (?:don't|do not|never) (?:use|allow|write|support|serve|sell|ship|accept) (?!(?:it|this|that|the|to|how|where|what|why|your|these|those)\b)\p{L}+/iu,
  /^(?:please\s+)?keep (?!the (?:function|file|method|class|component|line|commit|pr|pull request|diff|test|comment|answer|name|message) (?:small|short|simple|clean|green|open|here|as)\b)(?:all |every |your |the )*(?:functions?|files?|methods?|classes|components?|lines?|commits?|prs?|pull requests?|diffs?|tests?|comments?|answers?|names?|messages?)\s+\p{L}+/iu,
  /\b(?:i'd|i would) (?:rather (?:have )?you|like you to)\s+(?!(?:do|make|fix|look|check|try|help|write|implement|add|create|explain|tell|show|give|review|have)\b)\p{L}+/iu,
  /\bi (?:strongly |really |generally |usually |much )?prefer\s+(?!to know|not to|(?:the (?:first|second|third|last|other|old|new|left|right|\p{L}+er)|your|this|that|it|them|option|number)\b)\p{L}+/iu,
  /\b(?:is|are) (?:forbidden|not allowed|mandatory|required)\b(?! (?:by|in) (?:the )?(?:api|server|browser))/iu,
  /^(?:(?:please|just|ok|okay|so|and|also)[,\s]+)*\p{L}+ \S.*\b(?:going forward|from (?:now|here) on|henceforth)[.!]*$/iu,
  /^(?:please|pls)\s+(?:do\s+)?(?:always|never|(?:answer|reply|respond|speak)(?! (?:to )?(?:the|this|that|these|those|him|her|them|his|my|their)\b)|write (?:all|every)|use (?:only )?\p{L}+ for all)\b/iu,
]
const aside =
  /^(?:to (?:see|hear|deal with|touch|read|debug|think)\b.*\bagain$|you(?:'ll| will| can| may| might| could| want)|(?:it|they|there|this|that) (?:may|might|will|can|could|should|would)|happens?|works?|worked|fails?|failed|returns?|shows?|gets?|got|been|was|is|are|saw|knew|noticed|tried|understood|happened|came|went|did|mind|thought|seen|heard|used|the (?:same|case)|had|has|have|be\b|when|what|how|why|i (?:said|told|asked)|we (?:said|talked|discussed)|(?:the|this|that|it|there)\b.{0,40}?\b(?:is|are|was|were|has|have|works?|fails?|passes?))\b/i
const keptInMind = /^(?:\w+[,\s]+)?keep in mind\b/i
const ofUs = /\b(?:i|i'm|we|we're|our|my|us|me|never|always|you (?:should|must))\b/i
const longestRule = 30

const asked = new RegExp(
  String.raw`^${leadIn}remember(?:\s+(?:that|this|for (?:later|next time|the future|future sessions)))?\s*(?:[:,—–-]\s*|\bthat\s+|(?<=that)\s+)(?<said>.+)$`,
  'iu',
)
/** A shared recollection, not a request to remember. */
const recalled =
  /^(?:to|when|how|what|why|where|if|whether|you|last time|earlier|before)\b|\b(?:we|i|you) (?:said|told|asked|talked|discussed|agreed|mentioned|had|were|was|did|just)\b|\b(?:was|were|earlier|yesterday|last time)\b/i

/** `Remember that the staging host is otter.example`: stored in the user's words. */
export function rememberedClaims(sentence: string): readonly Claim[] {
  const asking = asked.exec(sentence)?.groups?.said
  if (asking === undefined) return []
  const said = withoutEndMark(asking.trim())
  if (recalled.test(said)) return []
  const words = said.split(/\s+/).length
  if (words < 3 || words > longestRule) return []
  return [
    {
      kind: 'fact',
      owner: /^(?:i|i'm|my|i've)\b/i.test(said) ? 'user' : 'project',
      operation: 'state',
      category: 'general',
      text: said,
      quote: sentence,
      confidence: 0.9,
    },
  ]
}

/** A message of a program, a question with a typing error, or a rule about something that only the conversation shows. */
const notARule =
  /\b(?:line|column) \d+|\bin this context\b|\bor (?:is|are|do|does|should|not)\b|\blike (?:this|that|these|those)\b/iu
const cueWord =
  /^(?:prefer|never|always|want|like|please|don't|dont|not|fact|rather|would|usually|generally|really|now|going|forward|future|rule)$/

/** Whether a rule can be understood without the conversation: it names something. */
function isWhole(sentence: string): boolean {
  if (notARule.test(sentence)) return false
  const named = readWords(sentence).words.filter(
    ({ lower }) => lower.length > 2 && !isFunctionWord(lower) && !cueWord.test(lower),
  )
  return named.length >= 1
}

/** Standing instructions that name no known attribute: `always run the tests before you commit`. */
export function instructionClaims(sentence: string, owner: Owner | undefined): readonly Claim[] {
  const match = standing.exec(sentence) ?? wanted.exec(sentence)
  const open = rules.some((pattern) => pattern.test(sentence)) ? sentence : undefined
  const worded = match?.groups?.rule ?? open
  if (worded === undefined) return []
  const rule = withoutEndMark(worded.trim())
  if (
    aside.test(rule.replace(open === rule ? /^when(?:ever)?\s+/i : /^$/, '')) ||
    !isWhole(sentence)
  )
    return []
  // `Keep in mind that …` counts only when it is about the user or the project.
  if (keptInMind.test(sentence) && !ofUs.test(rule)) return []
  const words = rule.split(/\s+/).length
  if (words > longestRule || (words < 2 && !wanted.test(sentence))) return []
  return [
    {
      kind: 'preference',
      owner: owner ?? 'unsaid',
      operation: 'state',
      category: 'instruction',
      text: withoutEndMark(sentence.trim()),
      quote: sentence,
      confidence: 0.8,
    },
  ]
}
