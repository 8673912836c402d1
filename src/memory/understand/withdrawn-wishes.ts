const wish =
  /\b(?:i|we)(?:['’]d| would| do)?\s+(?:(?:really|also|still|just|definitely|always|actually|so|very much)\s+)*(?:want|like|love|hope|plan|intend)\b/i

const turnWords =
  '(?:but|however|though|although|yet|except(?: that)?|only that|unfortunately|sadly|alas)\\b[,\\s]+'
const turn = new RegExp(`[\\s,;:—–-]+${turnWords}`, 'iu')
const turnOpening = new RegExp(`^(?:(?:well|and|ok|okay)[,\\s]+)*${turnWords}`, 'iu')

/** A request to others withdraws nothing: `but don't touch the old files`. */
const asksOthers = /^(?:please\s+)?(?:don['’]t|do not|never)\b/i

/** Reasons why a wish is withdrawn: no knowledge, no ability, no permission, or another choice. */
const obstacles: readonly RegExp[] = [
  /\b(?:can['’]t|cannot|can not|couldn['’]t)\b(?!\s+(?:stand|wait|recommend|complain))/i,
  /\b(?:i|we|they|team|nobody|no one|none of us)\s+(?:(?:really|still|all)\s+)*(?:don['’]t|do not|doesn['’]t|didn['’]t|never|haven['’]t|have not|have never|['’]ve never|barely|hardly)\s+(?:\w+\s+)?(?:know|knew|knows|have|use|used|learn|learned|learnt|understand|tried|worked|touched|written)\b/i,
  /\b(?:nobody|no one|none of us|no idea|no clue|no experience|no time|no budget|no support)\b/i,
  /\b(?:i['’]m|i am|we['’]re|we are|it['’]s|it is|that['’]s|that is|isn['’]t|is|are|aren['’]t)\s+(?:(?:just|really|still|simply|way|far|not|an?)\s+)*(?:too\s+\w+|not (?:allowed|possible|supported|available|ready|able|familiar|comfortable|good|an option)|allowed|possible|supported|available|impossible|unable|stuck|forbidden|option|afraid|new to)\b/i,
  /\b(?:doesn['’]t|does not|won['’]t|will not|wouldn['’]t)\s+(?:support|work|allow|let|run|fit|compile|exist|happen)\b/i,
  /\b(?:have to|has to|must|are forced to|am forced to|need to)\s+(?:use|stay|stick|keep|go|live|work)\b/i,
  /\b(?:we|project|repo|codebase|team|company|everything)(?:['’]re| are| is)?\s+(?:(?:all|already|still|currently|now)\s+)*(?:use|uses|using|on|in)\b/i,
  /^(?:for now\s+)?(?:let['’]s|lets)\s+(?:use|go|stick|stay|keep)\b/i,
  /\b(?:said no|against it|forbids?|vetoed|refuses?|won['’]t have it)\b/i,
]

/** Drops wishes that their speaker withdraws: `I want Rust but we use Go` becomes `we use Go`. */
export function withoutWithdrawnWishes(sentences: readonly string[]): readonly string[] {
  return sentences.flatMap((sentence, index) => {
    if (!wish.test(sentence)) return [sentence]
    const turned = turn.exec(sentence)
    if (turned !== null && wish.test(sentence.slice(0, turned.index))) {
      const rest = sentence.slice(turned.index + turned[0].length)
      return [isObstacle(rest) ? rest : sentence]
    }
    const next = sentences[index + 1] ?? ''
    const opened = turnOpening.exec(next)
    return opened !== null && isObstacle(next.slice(opened[0].length)) ? [] : [sentence]
  })
}

function isObstacle(clause: string): boolean {
  return !asksOthers.test(clause) && obstacles.some((obstacle) => obstacle.test(clause))
}
