import { withApostrophes } from './apostrophes.ts'

/** What kind of sentence it is. Only a `statement` or a `request` gives claims. */
export type Stance = 'statement' | 'request' | 'question' | 'hypothetical' | 'reported'

const questionOpening =
  /^(?:(?:and|but|so|ok|okay|hm+|also|then|well|hey|wait|no|yes|oh|hi|please)[,\s]+)*(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|am|do|does|did|can|could|will|would|shall|should|may|might|must|have|has|had|isn't|aren't|don't (?:you|we|they)|doesn't|didn't|won't|wouldn't|shouldn't|can't (?:you|we)|any (?:idea|chance))\b/i

/** `We don't want a timeout there, do we`. */
const tag =
  /,\s+(?:(?:do|does|did|is|are|was|were|can|could|should|will|would|have|has)(?:n't)? (?:we|you|it|i|they|he|she)|why|right|no)[.!]*$/i

const hypothetical =
  /\b(?:if|unless|whether|suppose|supposing|imagine|assuming|assume|hypothetically|theoretically|in theory|what if|let's say|lets say|for example|for instance|e\.g|say we|would (?:be|have|make|need|use|choose|pick|take|like it|prefer if|rather)|could(?! not\b|n't\b)|might|may (?:be(?! up to)|want|need|have)|maybe|perhaps|possibly|probably|wonder|wondering|thinking (?:of|about)|(?:plan|plans|planning|intend|intends|intending|hope|hopes|hoping|aim|aiming) (?:to|on)|think about|considering|consider|consider(?:ed)? (?:using|switching|moving)|wish|in case|as though|as if|otherwise|pretend|tempted|leaning|toying|not sure|unsure|i guess|i suppose|either|one option|an option|alternatively|some day|someday|eventually|in an ideal)\b/i

const othersSubject =
  /^(?:(?:and|but|so|also|because|since|well|actually|yeah|no|btw|by the way|fyi|apparently)[,\s]+)*(?:(?:he|she|they|people)\b|some (?:people|folks|teams|developers|devs)|many (?:people|teams|developers)|most (?:people|teams|developers)|others|everyone else|someone|somebody|(?:one|some|many|most) of (?:my|our|the|their) \p{L}+|(?:a|an|another|any|the other) (?:user|customer|client|colleague|student|friend|developer|team|company|competitor|person|guy|vendor|project|repo|repository|department|partner)|(?:the )?competitors?|my (?!\p{L}+ and i\b)(?:brother|sister|friend|colleague|co-?worker|boss|manager|client|customer|wife|husband|partner|roommate|teammate|mom|dad|mother|father|son|daughter|teacher|professor|predecessor|neighbou?r|old (?:team|job|company)|previous (?:team|job|company)|last (?:team|job|company))|our (?:client|customer|competitor|competitors|vendor|users|customers|clients)|(?:the|a|an|this|that|their|his|her) (?:client|customer|competitor|vendor|user|users|docs?|documentation|readme|article|blog|post|tutorial|guide|book|author|paper|comment|reviewer|error|log|message|output|issue|ticket|example|snippet|manual|library|upstream|maintainers?|other team|backend team|frontend team|company|intern|new hire|contractor)\b)/iu

const reportedSpeech =
  /\b(?:(?:of|in|at|by|from) (?:the|an|another) other (?:team|repo|project|company|department)|(?:of|in|at|by) (?:the other|another) (?:team|repo|project|company|department)|(?:he|she|they|someone|somebody|people|everyone|the docs?|documentation|readme|article|tutorial|manager|boss|client|customer|colleague|friend|brother|sister|team ?mate|(?!We |I |Our |This |It |The |You |Let |And |But |So |Also |Now |Then |Team )[A-Z][a-z]+) (?:said|says|say|told|tells|claims?|claimed|thinks?|thought|prefers?|preferred|suggests?|suggested|recommends?|recommended|insists?|wants?|wanted|likes?|liked|uses?|used|switched|moved|asked(?! us\b| for\b)|mentioned|wrote|argues?|argued|believes?)|(?:partner|competitor|vendor|supplier|neighbour|colleague)'s|according to|you (?:said|wrote|told|mentioned|suggested|recommended|used|chose)|it says|says that|i (?:read|heard) that|[Ii] told (?!you\b|u\b)|we used to|i used to|back then|[Ll]ast (?:year|month|quarter)'s|in my (?:previous|last|old) (?:job|company|team|project))\b/

const requestOpening =
  /^(?:(?:and|but|so|ok|okay|also|then|now|well|hey|please|pls|just|first|next|alright|great|cool|yes|yeah|no|actually|instead)[,\s]+)*(?:add|apply|ask|build|bump|call|change|check|clean|commit|compare|continue|convert|copy|create|debug|delete|deploy|describe|document|do|drop|explain|explore|extract|find|fix|format|generate|get|give|go|help|hide|implement|include|install|investigate|keep|kill|let me|let's|lets|list|look|make|merge|migrate|modify|move|note|open|port|print|push|put|read|rebase|refactor|release|remember|remove|rename|replace|reset|restart|restore|revert|review|rewrite|run|search|set|show|sleep|split|start|stop|summari[sz]e|switch|take|tell|test|think|try|turn|undo|update|upgrade|use|verify|wait|write)\b/i

/** Never throws. */
export function stanceOf(sentence: string): Stance {
  const text = withApostrophes(sentence.trim())
  if (/\?["')\]]*$/.test(text) || questionOpening.test(text) || tag.test(text)) return 'question'
  if (othersSubject.test(text) || reportedSpeech.test(text)) return 'reported'
  if (hypothetical.test(text)) return 'hypothetical'
  return requestOpening.test(text) ? 'request' : 'statement'
}

const oneOff =
  /\b(?:(?:in|for|on|inside|within|to) (?:this|that|these|those) (?:one|bug|fix|feature|endpoint|plot|screenshot|customer|workshop|meeting|file|files|function|method|class|module|component|test|tests|script|pr|pull request|commit|branch|task|change|case|example|snippet|page|line|block|section|message|query|request|run|step|part|ticket|issue|release|repo only|instance|time|once)\b|(?:this|that|just (?:this|that)|only (?:this|that)) (?:one )?(?:time|once)|just (?:once|here|for now|for today|this once)|for (?:now|today|the moment|the time being|once)|temporarily|temporary|for testing|for (?:the|a|an|this|that|our|my) (?:quick |little |small )?(?:demo|example|experiment|prototype|poc|spike|playground|sandbox|workshop|talk|hackathon)|while (?:you|we|i)|until|this time|one-?off|quick hack|in the (?:docs?|documentation|readme) of|in the (?:examples?|snippet|fixtures?|tutorial|sample)\b|in \S+\.(?:ts|tsx|js|jsx|py|go|rs|java|rb|md|json|ya?ml|css|html|c|cpp|h|sh|sql|toml|php|kt|swift)\b)/i

/** Whether a sentence is limited to one file, one task or one moment: `use 4 spaces in this file`. */
export function isOneOff(sentence: string): boolean {
  return oneOff.test(sentence)
}
