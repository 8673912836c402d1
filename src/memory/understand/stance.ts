import { withUsualSpelling } from './usual-spelling.ts'

/** What kind of sentence it is. Only a `statement` or a `request` gives claims. */
export type Stance = 'statement' | 'request' | 'question' | 'hypothetical' | 'reported'

const questionOpening =
  /^(?:(?:and|but|so|ok|okay|hm+|also|then|well|hey|wait|no|yes|oh|hi|please)[,\s]+)*(?:who|whom|whose|what|which|when(?!ever\b)(?! .{3,60}\b(?:always|never|please|also)\b)|where|why|how|is|are|was|were|am|do(?! not\b)|does|did|can|could|will|would|shall|should|may|might|must|have|has|had|isn't|aren't|don't (?:you(?! (?:ever|dare)\b)|we|they)|doesn't|didn't|won't|wouldn't|shouldn't|can't (?:you|we)|any (?:idea|chance))\b/i

/** `We don't want a timeout there, do we`. */
const tag =
  /,\s+(?:(?:do|does|did|is|are|was|were|can|could|should|will|would|have|has)(?:n't)? (?:we|you|it|i|they|he|she)|why|right|no)[.!]*$/i

const hypothetical =
  /\b(?:if|unless|whether|suppose|supposing|imagine|assuming|assume|hypothetically|theoretically|in theory|what if|let's say|lets say|for example|for instance|e\.g|say we|would (?:be|have|make|need|use|choose|pick|take|like it|prefer if|rather)|could(?! not\b|n't\b)|might|may (?:be(?! up to)|want|need|have)|maybe|perhaps|possibly|probably|wonder|wondering|thinking (?:of|about)|(?:plan|plans|planning|intend|intends|intending|hope|hopes|hoping|aim|aiming) (?:to|on)|think about|considering|consider|consider(?:ed)? (?:using|switching|moving)|wish|in case|as though|as if|otherwise|pretend|tempted|leaning|toying|not sure|unsure|i guess|i suppose|either|one option|an option|evaluat(?:e|ing)|comparing|experimenting|playing (?:with|around)|trying out|debating|discussing|(?:to|will|have to) discuss|look(?:ing)? into|nothing (?:is|has been|was) decided|(?:not|nothing) (?:yet )?(?:decided|settled)|undecided|no decision|(?:we will|we'll|let's) see\b|sounds? (?:nice|good|great|interesting|promising)|looks? (?:nice|promising|interesting|tempting)|looks? good for|promising|(?:i|we) (?:disagree|don't agree|don't think so|doubt (?:it|that))|worth a (?:look|try)|alternatively|some day|someday|eventually|in an ideal)\b/i

const othersSubject =
  /^(?:(?:and|but|so|also|because|since|well|actually|yeah|no|btw|by the way|fyi|apparently)[,\s]+)*(?:(?:he|she|they|people)\b|some (?:people|folks|teams|developers|devs)|many (?:people|teams|developers)|most (?:people|teams|developers)|others|everyone else|someone|somebody|(?:one|some|many|most) of (?:my|our|the|their) \p{L}+|(?:a|an|another|any|the other) (?:user|customer|client|colleague|student|friend|developer|team|company|competitor|person|guy|vendor|project|repo|repository|department|partner)|(?:the )?competitors?|my (?!\p{L}+ and i\b)(?:brother|sister|friend|colleague|co-?worker|boss|manager|client|customer|wife|husband|partner|roommate|teammate|mom|dad|mother|father|son|daughter|teacher|professor|predecessor|neighbou?r|old (?:team|job|company)|previous (?:team|job|company)|last (?:team|job|company))|our (?:client|customer|competitor|competitors|vendor|users|customers|clients)|(?:the|a|an|this|that|their|his|her) (?:client|customer|competitor|vendor|user|users|docs?|documentation|readme|article|blog|post|tutorial|guide|book|author|paper|comment|reviewer|error|log|message|output|issue|ticket|example|snippet|manual|library|upstream|maintainers?|other team|backend team|frontend team|company|intern|new hire|contractor)\b)/iu

const reportedSpeech =
  /\b(?:(?:of|in|at|by|from) (?:the|an|another) other (?:team|repo|project|company|department)|(?:of|in|at|by) (?:the other|another) (?:team|repo|project|company|department)|(?:he|she|they|someone|somebody|people|everyone|the docs?|documentation|readme|article|tutorial|manager|boss|client|customer|colleague|friend|brother|sister|team ?mate|(?!We |I |Our |This |It |The |You |Let |And |But |So |Also |Now |Then |Team )[A-Z][a-z]+) (?:said|says|say|told|tells|claims?|claimed|thinks?|thought|prefers?|preferred|suggests?|suggested|recommends?|recommended|insists?|wants?|wanted|likes?|liked|uses?|used|switched|moved|asked(?! us\b| for\b)|mentioned|wrote|argues?|argued|believes?)|(?:partner|competitor|vendor|supplier|neighbour|colleague)'s|according to|(?<!rather )you (?:said|wrote|told|mentioned|suggested|recommended|used|chose)|it says|says that|i (?:read|heard) that|[Ii] told (?!you\b|u\b)|we used to|i used to|back then|[Ll]ast (?:year|month|quarter)'s|in my (?:previous|last|old) (?:job|company|team|project))\b/

/** What another person says, thinks or offers: `the consultant argued that`, `my flatmate keeps telling me`. */
const speaking = String.raw`(?:(?:still|always|also|just|again|really) )*(?:keeps? (?:telling|saying|asking|suggesting)|swears? by|(?:argue|claim|suggest|recommend|insist|complain|hint|propose|mention)(?:s|d|ed)?\b|says?\b|said\b(?! goodbye)|thinks?\b|thought\b|believes?\b|asks?\b|asked (?!us\b|for\b)|offers? (?:us|me)|offered|sent (?:us|me|an?)|wrote\b)`
const opening = String.raw`^(?:(?:and|but|so|also|because|well|btw|apparently)[,\s]+)*`
const saidByOthers = [
  new RegExp(
    String.raw`${opening}(?:(?:my|the|a|an|his|her|their|some|one|another|every|this|that) (?:\p{L}+['’]?s? ){1,4}|our (?:\p{L}+ ){1,3})${speaking}`,
    'iu',
  ),
  new RegExp(
    String.raw`${opening}(?!Please|Kindly|Always|Never|Just|Also|We|You|They|It|So|And|But|Then|Now|Everyone|Everybody)\p{Lu}\p{Ll}+ ${speaking}`,
    'u',
  ),
]

const requestOpening =
  /^(?:(?:and|but|so|ok|okay|also|then|now|well|hey|please|pls|just|first|next|alright|great|cool|yes|yeah|no|actually|instead)[,\s]+)*(?:add|apply|ask|build|bump|call|change|check|clean|commit|compare|continue|convert|copy|create|debug|delete|deploy|describe|document|do|drop|explain|explore|extract|find|fix|format|generate|get|give|go|help|hide|implement|include|install|investigate|keep|kill|let me|let's|lets|list|look|make|merge|migrate|modify|move|note|open|port|print|push|put|read|rebase|refactor|release|remember|remove|rename|replace|reset|restart|restore|revert|review|rewrite|run|search|set|show|sleep|split|start|stop|summari[sz]e|switch|simulate|spell|take|tell|test|think|translate|try|turn|undo|update|upgrade|use|verify|wait|write)\b(?! (?:is|are|was|were|has|have|had|went|got|goes|slipped|moved|dropped|changed|became|fell|rose|grew)\b)(?!(?<=\b(?:test|build|release|port|document|change|check|commit|deploy|update|upgrade|search|print|run|review)) (?:data|times?|servers?|files?|notes?|dates?|numbers?|results?|messages?|process|branch(?:es)?|configs?|outputs?) (?:\p{Ll}+ )?(?:is|are|was|were|has|have|lives?|runs?|moved|goes|takes?)\b)/iu

/** Never throws. */
export function stanceOf(sentence: string): Stance {
  const text = withUsualSpelling(sentence.trim())
  if (/\?["')\]]*$/.test(text) || questionOpening.test(text) || tag.test(text)) return 'question'
  if (
    othersSubject.test(text) ||
    saidByOthers.some((pattern) => pattern.test(text)) ||
    reportedSpeech.test(text)
  )
    return 'reported'
  if (hypothetical.test(text)) return 'hypothetical'
  return requestOpening.test(text) ? 'request' : 'statement'
}

const oneOff =
  /\b(?:(?:in|for|on|inside|within|to) (?:this|that|these|those) (?:one|bug|fix|feature|endpoint|plot|screenshot|customer|workshop|meeting|file|files|function|method|class|module|component|test|tests|script|pr|pull request|commit|branch|task|change|case|example|snippet|page|line|block|section|message|query|request|run|step|part|ticket|issue|release|repo only|instance|time|once)\b|(?:this|that|just (?:this|that)|only (?:this|that)) (?:one )?(?:time|once)|just (?:once|here|for now|for today|this once)|for (?:now|today|the moment|the time being|once)|temporarily|temporary|(?<!\b(?:i|we) (?:always |only |mostly )?(?:prefer|use|like) \S+(?: \S+)? )for testing|for (?:the|a|an|this|that|our|my) (?:quick |little |small )?(?:demo|example|experiment|prototype|poc|spike|playground|sandbox|workshop|talk|hackathon)|while (?:you|we|i)|until|this time|one-?off|quick hack|in the (?:docs?|documentation|readme) of|in the (?:examples?|snippet|fixtures?|tutorial|sample)\b|in \S+\.(?:ts|tsx|js|jsx|py|go|rs|java|rb|md|json|ya?ml|css|html|c|cpp|h|sh|sql|toml|php|kt|swift)\b)/i

/** `Translate this sentence`, `export that one`: something to do with one thing. */
const withThis =
  /^(?:(?:and|but|so|ok|okay|also|now|please|pls|kindly|just|first|then)[,\s]+)*(?!(?:i|we|you|he|she|it|they|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must|may|at|in|on|for|from|with|of|by|to|as|not|all|like|than|since|during|after|before|because|use|prefer|note|remember)\b)\p{L}+ (?:me |us |only |just )?(?:this|these|those|that) (?!way\b|style\b|is\b|was\b|repo|project|team|we\b|i\b|the\b|our\b|my\b)\p{L}+/iu

/** Whether a sentence is limited to one file, one task or one moment: `use 4 spaces in this file`. */
export function isOneOff(sentence: string): boolean {
  return oneOffPhrase(sentence) !== undefined
}

/** The words that limit a sentence to one file, one task or one moment. */
export function oneOffPhrase(sentence: string): string | undefined {
  return (oneOff.exec(sentence) ?? withThis.exec(sentence))?.[0]
}
