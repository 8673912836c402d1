import type { HeardMessage } from '../state/event.ts'
import { isUpdate } from '../understand/correction-cues.ts'
import { isDocument, ownWords } from '../understand/own-words.ts'
import { splitSentences } from '../understand/sentences.ts'
import { speakerRank } from './speaker-rank.ts'
import { type Slot, slotOf, topicOf } from './topic.ts'

/** How a sentence relates to earlier ones. */
export interface Marks {
  /** Replaces something: `Update:`, `actually`, `instead`, `cancelled`. */
  readonly update: boolean
  /** About the past. */
  readonly past: boolean
  /** An idea, a question or a draft. */
  readonly tentative: boolean
  /** A choice: `we're going with X`. */
  readonly choice: boolean
  /** Follows from the sentence before it. */
  readonly derived: boolean
  /** Without content: `Keep it simple.` */
  readonly chatter: boolean
}

/** One sentence of a user, with its topic. */
export interface Statement {
  readonly text: string
  readonly message: number
  readonly saidAt: number
  readonly topic: ReadonlySet<string>
  readonly slot?: Slot
  readonly marks: Marks
  /** The rank of the speaker; 0 when none is named. */
  readonly rank: number
  /** The number of the side topic; undefined for the main topic. */
  readonly aside?: number
}

const past =
  /\b(?:original(?:ly)?|previous(?:ly)?|formerly|initially|at first|used to be|was considered|were considered|the (?:old |previous )?value was|had planned|were planning|our previous|earlier plan)\b/i
const tentative =
  /\?["')\]]*$|^\W*(?:draft|idea|brainstorm|what if|hypothetically|theoretically|maybe|perhaps|could|might|if)\b|\b(?:thinking (?:of|about|big|we)|we're thinking|i'm thinking|tentative|hypothetical|theoretically|exploratory|could (?:use|maybe|also|be)|might|what if)\b/i
const question =
  /^(?:(?:and|but|so|ok|okay|also|then|hey|hi|please)[,\s]+)*(?:as [^,]{3,40}[,\s]+)?(?:(?:and|but|so|ok|okay|also|then|hey|hi|please)[,\s]+)*(?:who|whom|whose|what|which|when|where|why|how|is|are|do|does|did|can|could|will|would|should)\b/i
const choice =
  /\b(?:going with|go with|proceed(?:ing)? with|decided (?:on|to)|chose|we'll be (?:doing|using)|we will be (?:doing|using)|settled on|official plan|plan is|opted for|selected|switch to|let's (?:try|use|do)|finali[sz]ed)\b/i
const derived =
  /^\W*(?:so|therefore|thus|hence|this means|that means|as a result|consequently)\b\s*[:,]?/i
const chatter =
  /^\W*(?:great|thanks|thank you|ok|okay|got it|sure|yes|no|no rush|keep it simple|anyway|perfect|sounds good|hi|hello|good (?:morning|afternoon)|this is (?:a go|critical|just exploratory)|great news|bad news|make sure this is on record|let me (?:update|tell))\b.{0,40}$/i
const asideStart =
  /^\W*(?:hold on|one (?:sec|second|moment|minute)|quick (?:interruption|detour|aside)|interruption|hang on|sidebar|off[- ]topic)\b\s*[-–—:,]/i
const asideEnd =
  /^\W*(?:back to|continuing|resuming|returning to|anyway, back)\b|\b(?:back to (?:planning|work|ticket|the|our|where)|, back to)\b/i
const exploreStart =
  /\b(?:just exploratory|brainstorm(?:ing)?(?: session)?|what[- ]if (?:discussion|session)|hypothetical(?:ly)? speaking|thought experiment|let's do an? [\w ]{3,30}(?:exploration|brainstorm))\b/i
const exploreEnd =
  /\b(?:that's enough|enough [\w ]{3,30} for now|real commitments|back to reality|for real now)\b/i

/** The users' sentences, with marks for side topics and brainstorming. */
export function readStatements(heard: Iterable<HeardMessage>): readonly Statement[] {
  const statements: Statement[] = []
  let message = 0
  let aside: number | undefined
  let asides = 0
  let exploring = false
  for (const { text: whole, saidAt, role } of heard) {
    if (role !== 'user' || isDocument(whole)) continue
    const own = ownWords(whole)
    const text = own.restore(own.text)
    if (exploreEnd.test(text)) exploring = false
    else if (exploreStart.test(text)) exploring = true
    if (asideEnd.test(text)) aside = undefined
    else if (asideStart.test(text)) aside = ++asides
    const rank = speakerRank(text)
    for (const sentence of splitSentences(text)) {
      const slot = slotOf(sentence)
      statements.push({
        text: sentence,
        message,
        saidAt,
        topic: topicOf(sentence),
        rank,
        ...(slot === undefined ? {} : { slot }),
        marks: {
          update: isUpdate(sentence) && !asideEnd.test(sentence),
          past: past.test(sentence),
          tentative: exploring || tentative.test(sentence) || question.test(sentence),
          choice: choice.test(sentence),
          derived: derived.test(sentence),
          chatter: (chatter.test(sentence) && !isUpdate(sentence)) || exploreEnd.test(sentence),
        },
        ...(aside === undefined ? {} : { aside }),
      })
    }
    message++
  }
  return statements
}
