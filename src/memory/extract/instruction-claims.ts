import type { Claim, Owner } from './claim.ts'

const standing =
  /^(?:(?:and|also|ok|okay|please|so|oh|btw|yes|no)[,\s]+)*(?:(?:from now on|going forward|in (?:the )?future|henceforth|for future reference|as a rule|in general|generally|always remember to|always|never|don't ever|do not ever|please always|please never|(?:you|we) (?:should|must|have to|need to) (?:always|never)(?=\s+(?:run|write|use|add|ask|check|commit|push|update|format|lint|test|keep|follow|prefer|avoid|document|read|explain|answer|review|deploy|merge|touch|edit|delete)\b)|remember(?: that| to)|make sure (?:to|you|that you) (?:always|never)|keep in mind(?: that)?)[,:\s]+)(?<rule>.+)$/iu
const wanted =
  /^(?:(?:and|also|so|but)[,\s]+)*i\s+(?:always|never|generally|usually|really don't|don't ever)\s+(?:want|like|prefer|write|put|use|need|commit|expect)\s+(?<rule>.+)$/iu
const aside =
  /^(?:you(?:'ll| will| can| may| might| could| want)|(?:it|they|there|this|that) (?:may|might|will|can|could|should|would)|happens?|works?|worked|fails?|failed|returns?|shows?|gets?|got|been|was|is|are|mind|thought|seen|heard|used|the (?:same|case)|had|has|have|be\b|when|what|how|why|i (?:said|told|asked)|we (?:said|talked|discussed)|(?:the|this|that|it|there)\b.{0,40}?\b(?:is|are|was|were|has|have|works?|fails?|passes?))\b/i
const keptInMind = /^(?:\w+[,\s]+)?keep in mind\b/i
const ofUs = /\b(?:i|i'm|we|we're|our|my|us|me|never|always|you (?:should|must))\b/i
const longestRule = 30

const asked =
  /^(?:(?:and|also|ok|okay|please|so|oh|btw)[,\s]+)*remember(?:\s+(?:that|this|for (?:later|next time|the future|future sessions)))?\s*(?:[:,—–-]\s*|\bthat\s+|(?<=that)\s+)(?<said>.+)$/iu
/** A shared recollection, not a request to remember. */
const recalled =
  /^(?:to|when|how|what|why|where|if|whether|you|last time|earlier|before)\b|\b(?:we|i|you) (?:said|told|asked|talked|discussed|agreed|mentioned|had|were|was|did|just)\b|\b(?:was|were|earlier|yesterday|last time)\b/i

/** `Remember that the staging host is otter.example`: stored in the user's words. */
export function rememberedClaims(sentence: string): readonly Claim[] {
  const said = asked
    .exec(sentence)
    ?.groups?.said?.trim()
    .replace(/[.!]+$/, '')
  if (said === undefined || recalled.test(said)) return []
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

/** Standing instructions that name no known attribute: `always run the tests before you commit`. */
export function instructionClaims(sentence: string, owner: Owner | undefined): readonly Claim[] {
  const match = standing.exec(sentence) ?? wanted.exec(sentence)
  const rule = match?.groups?.rule?.trim().replace(/[.!]+$/, '')
  if (rule === undefined || aside.test(rule)) return []
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
      text: sentence.trim().replace(/[.!]+$/, ''),
      quote: sentence,
      confidence: 0.8,
    },
  ]
}
