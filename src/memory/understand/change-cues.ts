/** Words that say that something changed, anywhere in a sentence. */
const changed = new RegExp(
  String.raw`\b(?:${[
    'now',
    'nowadays',
    'these days',
    'any ?more',
    'any longer',
    'no longer',
    'not any ?more',
    'from (?:now|here|today|tomorrow|this|next) ?(?:on|onwards?|week|sprint|release)?',
    'from (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december)(?: on(?:wards?)?)?',
    'going (?:forward|fwd)',
    'in (?:the )?future',
    'henceforth',
    'onwards?',
    'as of',
    'as from',
    'starting (?:today|now|from|on|with)',
    'since (?:easter|christmas|spring|summer|autumn|winter|then|monday|tuesday|wednesday|thursday|friday|saturday|sunday|yesterday|yday|today|this|last|the|january|february|march|april|may|june|july|august|september|october|november|december|release)',
    'instead',
    'rather than',
    'after all',
    'meanwhile',
    'at present',
    'used to',
    '(?:re)?named',
    'renam\\w+',
    'mov(?:ed|ing|es to)',
    'switch\\w*',
    'swapp?ed',
    'migrat\\w+',
    'chang(?:ed|es?|ing)',
    'replac\\w+',
    'exchanged',
    'convert(?:ed|ing)',
    'reverted',
    'upgraded?',
    'updated',
    'downgraded',
    'bumped?',
    'raised',
    'lowered',
    'reduced',
    'increased',
    'extended',
    'shortened',
    'shrank',
    'shrunk',
    'grown?',
    'doubled',
    'halved',
    'enlarged',
    'lifted',
    'slipped',
    'slid',
    'jumped',
    'climbed',
    'fell',
    'rose',
    'grew',
    'trimmed',
    'cut to',
    'postponed',
    'pushed (?:back|to|the)',
    'pushed',
    'shifted',
    'rescheduled',
    'delayed',
    'transferred',
    'handed over',
    'taken over',
    'took over',
    'stepped in',
    'promoted',
    'relicensed',
    'rewrote',
    'rewritten',
    'went (?:up|down|from|back)',
    'gone (?:up|down|from|back)',
    'goes? (?:up|down)',
    'up to',
    'down to',
    'back (?:to|on)',
    'made it',
    "(?:i|we)(?: have|'ve)? set [^,.;]{3,40} to",
    '(?:went|gone|going) (?:for|with)',
    'in favou?r of',
    'became',
    'become',
    'turned out',
    'turns out',
    'correction',
    'i meant',
    'wrong',
    'actually',
    'scratch that',
    'got approved',
    'it is(?=\\s*(?:$|[,.!;]))',
    'relocat\\w+',
    'upsized',
    'downsized',
    'resized',
    'scaled',
    'merged into',
    'stepped down',
    'joined',
    'reassigned',
    'superseded',
    'succeeded by',
    'abolished',
    'terminated',
    'withdrawn',
    'phased out',
    'sunset',
    'deprecated',
    'discontinued',
    'changed our mind',
    'for good',
    'permanently',
    // `The hearing has been adjourned to 17 April`
    '(?:has|have|had|was|were) (?:now |just )?(?:been )?(?!limited|related|connected|linked|used|supposed|attached|added|restricted|dedicated|tied|mapped|assigned|deployed|uploaded|supposed|allowed|exposed)\\w+ed (?:from [^,.;]{1,30} )?(?:to|until)',
    'since then',
    'standardi[sz]ed on',
    'put to',
    'settled on',
    '(?:decided|opted|voted) (?:for|on)',
    'decided',
    'agreed',
    'reconsidered',
    'gave up',
    'given up',
    'new name',
    '(?:the|our|my|a) new',
    'new',
    'we said',
    'finally',
    'just',
    'by the way',
    'fyi',
    'heads up',
    'better',
    'dropped?',
    'ditch(?:ed)?',
    'goodbye',
    'hello',
    'gone',
    'out',
    'dead',
    'history',
    'finished',
    'retired',
    'removed',
    'left',
    'quit',
  ].join('|')})\b|→|->|=>`,
  'iu',
)

/** Cues that show no clear change by themselves. */
const weak =
  /^(?:just|new|finally|by the way|fyi|heads up|better|out|left|up to|wrong|used to|just|decided|agreed)$/i

export type CueStrength = 'none' | 'weak' | 'strong'

/** How clearly a sentence says that something is different from before. */
export function changeCue(sentence: string): CueStrength {
  let found: CueStrength = 'none'
  for (const [cue] of sentence.matchAll(new RegExp(changed.source, 'giu'))) {
    if (!weak.test(cue)) return 'strong'
    found = 'weak'
  }
  return found
}

/** Words after a value that say that it no longer holds. */
const goneAfter =
  /^[\s,]*(?:(?:for|to) (?:us|me)\s+)?(?:(?:for|between|as) (?:the |our |my |all )?\p{L}+\s+)?(?:we (?:have |'ve )?|i (?:have |'ve )?|it )?(?:(?:has|have|had|is|are|was|were|got|gets|'s|s|support|contract|license|licence|trial|subscription|account|scripts?|scripting|pairing|pagination|for \w+|has been|have been|we|be|should|could|just|finally)\s+)*(?:(?:too|very|so|much)\s+(?:\w+\s+)?(?:expensive|slow|pricey|fat|old|big|small|much)|gone|going away|on (?:its|the) way out|retiring|being (?:retired|removed|replaced|phased out)|out\b|dead|history|binned|chop|finished|over\b|removed|retired|dropped|ditched|deprecated|archived|deleted|closed|scrapped|turned off|switched off|shut down|no longer|no more|not (?:any ?more|working|used|supported|available|accepted|needed|allowed)|isn'?t|is not|aren'?t|wasn'?t|any ?more|away|EOL|quit|left|died|lapsed|cancell?ed|rejected|forbidden|bounces|replaced|exchanged|abandoned|moved on|moved|migrated|a mistake|a daft|overkill|was overkill|nothing but|could not|couldn'?t|old way|merged|folded|absorbed|renamed|banned|not allowed|off the (?:table|list)|(?:kicked|thrown|tossed) (?:out|away)|obsolete|unsupported|discontinued|superseded|succeeded|abolished|terminated|withdrawn|decommissioned|stopped|has taken|handed|went to|has been acquired|ended|expired|ran out|went (?:bust|under|bankrupt|away)|(?:got|was) the (?:chop|boot|axe)|got (?:axed|chopped|sold|dropped|ditched)|(?:was|were|got) sold|had it['’]?s day|goes\b(?=\s*(?:$|[,.;!]|and\b))|→|->|=>)/iu
/** Words before a value that say that it no longer holds. */
const goneBefore =
  /(?:(?:\b|(?<=\s))(?:not|had (?:it|enough)(?: with| of)?|so long|farewell|rip|r\.i\.p\.?|adios|no more|against|(?:care|worry|forget) about|forget|no longer(?: \p{L}+(?: (?:with|on|to|in|using|via))?)?|no|never|dropped?|dropping|ditch(?:ed|ing)?|drop|removed?|retired?|nuked|killed|binned|threw out|thrown out|ripped out|pulled|scrapped|abandoned|left|leaving|lost|goodbye|bye(?: bye)?|stop(?:ped)?(?: using| running| supporting| with(?: the)?)?|stop|(?:instead of|rather than|in place of)(?: (?!to\b)\p{L}{3,})?|from|gave up(?: on)?|given up(?: on)?|giving up|done with|got rid of|get rid of|rid of|moved off|away from|move off|replac(?:e[sd]?|ing)|swapp?ed(?: out)?|swap|cancell?ed|(?:scrap|dump|axe|kill|bin|nuke|toss|shelve|kick|chuck)(?:p?ed|d|ing)?(?: out| away)?|throw(?:n|ing)?(?: out| away)|threw away|wins? over|won over|pulled the plug on|fed up with|sick of|tired of|moved on from|parted ways with|overtook|succeeds|succeeded|replaces|ended the contract with|don'?t (?:have to|need to|need)|no need to|don'?t (?:use|run|bother with|have|look)|do not use|doesn'?t use|dont use|not having|nobody uses|used to (?:use|be)|>|without|isn'?t|aren'?t|isnt|don'?t go through|over)\s+(?:the |our |a |an |any |all |using |with |of )*)$/iu

/** How many characters after an old value say that it no longer holds. */
export function goneLength(after: string): number {
  return goneAfter.exec(after)?.[0].length ?? 0
}

/** Whether the words beside an old value say that it no longer holds. */
export function saysGone(before: string, after: string): boolean {
  return (
    goneBefore.test(before) ||
    goneAfter.test(after) ||
    (negated.test(before) && /^[^,;.]*\b(?:any ?more|any longer)\b/iu.test(after))
  )
}

/** `We don't support …`, where `any longer` follows the value. */
const negated = /(?:\b(?:no|not|never|nobody|stopped?)|n['’]t)\b[^,;.]*$/iu

/** Something that is added to what holds: `we also use Rust`. */
const additive =
  /\btoo(?=\s*(?:$|[,.!;]|now\b|since\b))|\b(?:also|as well|additionally|in addition|along with|alongside|besides|on top|plus|another|added|(?:a|the|our) second (?!thought)|both|some of)\b/iu

export function isAdditive(sentence: string): boolean {
  return additive.test(sentence)
}

/** A wish about how to answer or work that outlives the task. */
const lasting =
  /\b(?:from (?:now|here|today|this release) on|from (?:now|today)\b|henceforth|onwards?|in (?:the )?future|going (?:forward|fwd)|as a rule|always|never|any ?more|any longer|stop\b|no more|no need|don'?t (?:ever|have to|need)|please (?:no|don'?t|only|stop|keep|be)|your (?:answers?|responses?|replies|explanations)|(?:pls|please|thx)\s*(?:[.!]*$|,)|every(?:where| (?:commit|diff|pull request))|only\b|you can (?:drop|be|speak|skip)|skip the|again\b|by yourself|first\b|must\b|should\b|forbidden|mandatory)/iu

/** A rule for all future work, without words such as `only` that also occur in requests. */
const standing =
  /\b(?:from (?:now|here|today|this release) on|from (?:now|today)\b|any ?more\b|henceforth|in (?:the )?future|going (?:forward|fwd)|as a rule|always|never|stop\b|no more|no need|don'?t (?:ever|have to|need)|please (?:no|don'?t|only|stop|keep|be)|for good\b|permanently\b|every(?:where| (?:commit|diff|pull request|pr))|you can (?:drop|be|speak|skip)|skip the|by yourself|forbidden|mandatory|your (?:answers?|responses?|replies|explanations)|(?:pls|please|thx)\s*[.!]*$)/iu

export function isStanding(sentence: string): boolean {
  return standing.test(sentence)
}

/** A state of the moment, or a problem that the agent is asked to fix. */
const passing =
  /(?<!\b(?:as of|from|since|starting|until|by)\s)\b(?:today|tonight|tomorrow|this (?:morning|afternoon|week)|right now|at the moment)\b|,\s*(?:(?:please|can you|could you|and|so)\s+)*(?:fix|put|remove|revert|restore|explain|check|look(?! (?:in|at|under) \S*[./]\p{L})|help|investigate|debug|open|add|why)\b/iu

/** What is done stays: `merged this week`, `v3 went live this morning`. */
const done =
  /\b(?:moved|switched|migrated|renamed|replaced|merged|upgraded|bumped|dropped|removed|retired|rolled out|went live|goes live|is live)\b|→|->|=>/iu

export function isPassing(sentence: string): boolean {
  const found = passing.exec(sentence)
  return found !== null && (found[0].startsWith(',') || !done.test(sentence))
}

export function isLasting(sentence: string): boolean {
  return lasting.test(sentence)
}
