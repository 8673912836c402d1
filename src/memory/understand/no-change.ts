/** Finds sentences with words of change that say that nothing changed, or that something broke. */

const changeVerbs =
  '(?:switch|mov|migrat|chang|replac|upgrad|bump|renam|convert|rewrit|drop|dropp|adopt)(?:e|ed|es|ing|en)?'

/** `We haven't switched to pnpm yet`, `we almost moved`, `the bump got reverted`. */
const undone = new RegExp(
  String.raw`\b(?:${[
    String.raw`(?:not|have never|(?!don't)\p{L}+n't|almost|nearly|no need to|no reason to|no plans? to|without|refus\p{L}+ to)\s+(?:(?:yet|really|actually|even|have|to|going|be|been|being|fully|plan|want|need|all|quite)\s+){0,3}${changeVerbs}`,
    String.raw`(?:got|was|were|been|is|are)\s+(?:reverted|rolled back|undone|backed out|called off|rejected|declined|turned down|denied|refused|vetoed)`,
    '(?:idea|plan|proposal|rumou?r|suggestion|request|talk|question) (?:to|that|of|about)',
    "(?:is not|isn't|was not|wasn't) true",
    '(?:just|only) (?:kidding|joking)',
    'rolled (?:it |that |this |them )?back',
    'backed (?:it |that |this )?out',
    'but (?:we |i )?(?:stayed|stuck with|kept)',
    '(?:only|just|merely) (?:an? )?(?:experiment|test|trial|spike|proof of concept)',
  ].join('|')})\b`,
  'iu',
)

/** `Redis is no longer reachable`, `nvm switched me to node 18 for some reason`. */
const incident = new RegExp(
  String.raw`\b(?:${[
    'suddenly',
    'for some reason',
    'out of nowhere',
    'no longer (?:reachable|available|respond\\p{L}*|running|start\\p{L}*|found|load\\p{L}*|visible|works?|works|connects?|compiles?|builds?)',
    'gone again',
    '(?:container|process|server|pod|worker|service|connection|job) (?:has )?died',
    'crash(?:e[sd]|ing)?(?! report)',
    'segfault\\p{L}*',
    'stack ?trace',
    'that is the bug',
    'out of (?:memory|disk|space)',
    'timed out',
    'returns? [45]\\d\\d',
    'from (?:my|the) (?:path|PATH)',
    '(?:since|after) the (?:restart|reboot|outage|last commit)',
  ].join(
    '|',
  )})\b|^(?:\S*(?:Error|Exception)|WARN(?:ING)?|ERROR|FATAL|fatal|Traceback|npm (?:ERR|WARN))\b`,
  'u',
)

/** News about a product, what a tool did to a file, and what happens under a condition. */
const general =
  /\b(?:(?:is|are) (?:now )?the (?:newest|latest|fastest)\b|(?:just |has |have )?(?:came|come) out\b|(?:was|were|got) (?:just )?released)|^it (?:has |just )*(?:replaced|changed|turned|converted|renamed|dropped|removed|deleted)\b|\b(?:turned|reformatted|rewrote) (?:everything|all)\b|^(?:with|when|whenever) (?:an? |the )?[^,]{3,40}? (?:it|they|everything) \p{L}+s\b|\b(?:they|he|she|somebody|someone)(?:'ve|'s| have| has)? (?:just |recently )?(?:replaced|switched|moved|migrated|dropped|renamed|changed|went)\b/iu

/** Whether the change in a sentence did not happen, was undone, or is a fault. */
export function deniesChange(sentence: string): boolean {
  return undone.test(sentence) || incident.test(conclusionOf(sentence)) || general.test(sentence)
}

/** What follows from a fault: `Chrome keeps crashing, so I test in Firefox now`. */
function conclusionOf(sentence: string): string {
  return /\bso (?:i|we|i'm|we're|i've|we've)\b.*$/isu.exec(sentence)?.[0] ?? sentence
}

const keptBefore =
  /\b(?:back (?:to|on|at)|still(?: (?:on|use|using|with|at|in|called))?|stay(?:s|ed|ing)? (?:on|with|at)|stick(?:ing)? (?:to|with)|stuck with|kept|remain(?:s|ed)?|but (?:it's|it is|we're|they're|is)(?: actually)?)\s+(?:the |our |my )?$/iu
const keptAfter = /^\s*(?:stays|remains|is staying|won the vote)\b/iu

/** What a product does itself: `Prisma replaced its engine`, `prettier now reformats the file`. */
const actsAfter =
  /^(?:\s+\d[\d.]*)?\s+(?:(?:has|have|just|finally|itself)\s+)*(?:(?:replaced|dropped|changed|renamed|moved|rewrote|got rid of|removed|added|deprecated) (?:its|their|the|all|support)\b|now (?:reformats|rewrites|breaks|crashes|complains|warns|fails|throws|prints|shows|says|reports|returns|rejects|supports|requires|ignores)\b)/iu

/** Whether a sentence begins with a value and says what that product does. */
export function actsItself(before: string, after: string): boolean {
  return /^\W*(?:the )?$/i.test(before) && actsAfter.test(after)
}

/** Whether the words beside a value say that it still holds: `went back to zsh`, `still on vitest`. */
export function saysKept(before: string, after: string): boolean {
  return keptBefore.test(before) || keptAfter.test(after)
}

const verb =
  /(?<!\b(?:is|are|was|were|be|been|gets?|got))\s(?:(?:has|have|had|itself|just|now|finally|recently|all|already|does|do|did|not|no longer)\s+)*(?:(?:is|are) (?:now )?on|switched|moved|migrated|went|dropped|drops|replaced|turned|changed|renamed|uses?|calls?|bumped|converted|swapped|ditched|adopted)\s/iu
const generic =
  /^(?:(?:nobody|no one|noone)\b(?!.*\b(?:any ?more|any longer)\b)|everyone|everybody|half of|most|many|some|all (?:the )?(?:cool )?|real|serious|people|folks|others|upstream)\b(?!.*\b(?:here|us|our|team)\b)/iu
const ours =
  /\b(?:we|we've|we're|i|i've|i'm|our|ours|us|my|me|it|its|it's|everything|everyone|that|this|which|who|let's|team|project|repo|codebase|app|application|company|service|backend|frontend|api|stack|site|website|server|tests?|and|then|so|but|also|always|never|please|kindly|now|to|not|do|don't)\b/iu
/** Somebody's group or repository is not ours, even when it has the same noun. */
const group =
  /\b(?:the|their|his|her) (?:\p{L}+ )+(?:team|squad|guys|folks|people|repo|project|company)\b/iu
const possessive = /^(?!(?:it|that|what|let|here|there)'s)\p{L}+'s \p{L}+/iu

/**
 * Whether somebody else made the change: `Discord went from MongoDB to Cassandra`. The subject is ours when it has a
 * first-person word, or when `isKnown` says that it names what the sentence changes.
 */
export function isAboutOthers(sentence: string, isKnown: (subject: string) => boolean): boolean {
  if (generic.test(sentence) || elsewhere.test(sentence) || itself.test(sentence)) return true
  for (const clause of sentence.split(/[,;:—–.!]\s+|\s(?:and|but|because|since)\s/u)) {
    const found = verb.exec(clause)
    if (found === null) continue
    const subject = clause.slice(0, found.index).trim()
    const count = subject === '' ? 0 : subject.split(/\s+/).length
    if (count === 0 || count > longestSubject) return false
    if (group.test(subject)) return true
    return !isKnown(subject) && (possessive.test(subject) || !ours.test(subject))
  }
  return false
}

/** `Solveig, who is head of IT at our sister company, …`. */
const elsewhere =
  /\b(?:our|their|the|my|a) (?:sister|parent|partner|former|previous|last|old|other|customer's|client's) (?:company|team|project|employer|job|firm|department|organi[sz]ation)\b|\b(?:of|at|for|by) (?:our|a|the|another|some|my) (?:competitors?|friends?|neighbou?rs?|cousin|landlord)\b|,\s+who (?:is|was|runs|leads)\b/iu

/** `Facebook itself does not use Redux any more` */
const itself = /^\p{Lu}\S* (?:itself|themselves)\b/u

const longestSubject = 5
