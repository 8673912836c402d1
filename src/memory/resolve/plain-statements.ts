import { secretMark } from '../../core/words/secrets.ts'
import type { MemoryItem } from '../item.ts'
import { type HeardMessage, heardKey } from '../state/event.ts'
import { isPassing } from '../understand/change-cues.ts'
import { deniesChange } from '../understand/no-change.ts'
import { isDocument, ownWords } from '../understand/own-words.ts'
import { splitSentences, withoutEndMark } from '../understand/sentences.ts'
import { isOneOff, stanceOf } from '../understand/stance.ts'
import { readWords } from '../understand/words.ts'
import { readSlot } from './stored-slot.ts'

const longestMessage = 6
const fewestWords = 3
const mostWords = 16

/** What happened, what goes wrong, and what only the conversation shows. */
const passes =
  /\b(?:was|were|did|had|got|went|saw|ran|made|tried|fails?|failing|broken|crash\p{L}*|stuck|wrong|missing|(?:does|do|is|are|ca|wo|did|was)n['’]?t|cannot|can|could|(?<!\d )may(?! \d)|might|would|or|not|never|again|still|already|it|this|that|these|those|here|there|you|your)\b|(?<!\b(?:is|are|be|been|gets?|get)\s)\b\p{Ll}{3,}ed\b/iu
/** One clause with a subject and a verb in the present. */
const holds =
  /^(?:(?:we|i)\s+\p{L}|(?!(?:there|he|she|they|who|what|so|and|but|ok|okay|also)\b)(?:the |our |my |all |every |each )?\p{L}[^,;:()—–]*?\s(?:is|are|has|have|needs?|runs?|uses?|lives?|goes?|starts?|ends?|takes?|costs?|comes?|\p{Ll}{3,}s)\s)[^,;:()—–]*$/iu
const choice =
  /^(?:please |pls |always |i (?:really )?(?:like|love|hate|want|usually|always|never) )+|^(?:use|prefer|keep|put|store|write|name|call|indent|wrap|answer|deploy|ship|run)\s/iu

/**
 * The sentences of a message that say plainly how something is: `the staging server runs on 10.0.4.12`. They are no items,
 * because such a sentence may be about anything, but a later message that changes one of them shows that it mattered.
 */
export function plainStatements(message: HeardMessage): readonly MemoryItem[] {
  const { role, text, id, session, project, saidAt } = message
  if (role !== 'user' || isDocument(text)) return []
  const own = ownWords(text)
  const sentences = splitSentences(own.text)
  if (sentences.length > longestMessage) return []
  return sentences.flatMap((sentence, at): readonly MemoryItem[] => {
    const said = own.restore(sentence)
    if (!isPlain(said)) return []
    const isPersonal = /\b(?:i|i'm|my|me)\b/i.test(said)
    const item: MemoryItem = {
      id: `said:${heardKey(message)}:${at}`,
      kind: choice.test(said) ? 'preference' : 'fact',
      text: withoutEndMark(said),
      scope: isPersonal || project === undefined ? 'user' : `project:${project}`,
      category: 'general',
      confidence: 0.7,
      source: { origin: 'user', message: id, session, quote: said },
      validFrom: saidAt,
      recordedAt: saidAt,
    }
    return givesValue(item) ? [item] : []
  })
}

/** `The log format is plain text`: after such a noun any words are a value. */
const property =
  /^(?:the|our|my) (?:\p{L}+ ){0,3}(?:format|style|level|mode|type|language|locale|name|prefix|suffix|theme|strategy|policy|encoding|separator|convention|standard|default|owner|lead|provider|tool|engine|framework|region|layout|currency|unit) (?:is|are) /iu

/** Whether a statement has a value that can be recognised: a name, a number, a date, a path. */
function givesValue(item: MemoryItem): boolean {
  const [main] = readSlot(item).values
  if (main === undefined) return false
  if (property.test(item.text)) return true
  return (
    item.kind === 'preference' ||
    main.kind !== 'name' ||
    main.sort !== undefined ||
    /\p{Lu}|\d/u.test(main.text)
  )
}

function isPlain(sentence: string): boolean {
  if (sentence.includes(secretMark) || sentence.includes('?')) return false
  const { words } = readWords(sentence)
  if (words.length < fewestWords || words.length > mostWords) return false
  const stance = stanceOf(sentence)
  if (stance !== 'statement' && !(stance === 'request' && choice.test(sentence))) return false
  if (!holds.test(sentence) && !choice.test(sentence)) return false
  if (passes.test(sentence) || isOneOff(sentence) || isPassing(sentence)) return false
  if (deniesChange(sentence)) return false
  return true
}
