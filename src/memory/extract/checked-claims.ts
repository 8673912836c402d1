import { comparable } from '../comparable.ts'
import { type KnownValue, knownValue, namedAttribute } from '../lexicon/lookup.ts'
import type { Message } from '../observe.ts'
import { readDates } from '../understand/dates.ts'
import { isDocument, ownWords } from '../understand/own-words.ts'
import { splitSentences, withoutEndMark } from '../understand/sentences.ts'
import { isOneOff, stanceOf } from '../understand/stance.ts'
import { withoutWithdrawnWishes } from '../understand/withdrawn-wishes.ts'
import { type Claim, factText } from './claim.ts'
import type { Proposal } from './model-extractor.ts'

/**
 * The claims of a model's proposals that pass the rules for every claim: the sentence is in the message, is a lasting
 * statement about the user or the project, and contains the value. From an assistant only decisions count.
 */
export function checkedClaims(
  proposals: readonly Proposal[],
  { text, role }: Pick<Message, 'text' | 'role'>,
  saidAt: number,
): readonly Claim[] {
  if (isDocument(text)) return []
  const own = ownWords(text)
  const sentences = withoutWithdrawnWishes(splitSentences(own.text))
  return proposals.flatMap((proposal) => {
    const sentence = sentences.find((each) => isQuoted(own.restore(each), proposal.quote))
    if (sentence === undefined) return []
    const dated = readDates(sentence, saidAt)
    const stance = stanceOf(dated.text)
    if ((stance !== 'statement' && stance !== 'request') || isOneOff(dated.text)) return []
    if (!includes(sentence, proposal.value)) return []
    if (proposal.old && !includes(sentence, proposal.old)) return []
    if (role === 'assistant' && proposal.kind !== 'decision') return []
    const claim = claimOf(proposal, own.restore(sentence), role)
    if (dated.until !== undefined && dated.until <= saidAt) return []
    return [
      {
        ...claim,
        ...(dated.from === undefined ? {} : { since: dated.from }),
        ...(dated.until === undefined ? {} : { until: dated.until }),
      },
    ]
  })
}

function claimOf(proposal: Proposal, quote: string, role: Message['role']): Claim {
  const { kind, about, change, value: said, old } = proposal
  const known: KnownValue | undefined = knownValue(said)
  const attribute = known?.attribute ?? namedAttribute(proposal.attribute.replaceAll('_', ' '))
  const name = attribute?.name ?? comparable(proposal.attribute).replaceAll(' ', '_')
  const value = known?.value ?? said
  return {
    kind,
    owner: kind === 'decision' ? 'project' : about,
    operation: role === 'assistant' ? 'state' : change,
    category: attribute?.category ?? 'general',
    attribute: name,
    value,
    ...(old ? { old } : change === 'end' ? { old: value } : {}),
    text:
      kind === 'decision'
        ? withoutEndMark(quote.trim())
        : kind === 'fact'
          ? factText(about, name, value)
          : `${name.replaceAll('_', ' ')}: ${value}`,
    quote,
    confidence: change === 'replace' ? 0.85 : 0.75,
  }
}

function isQuoted(sentence: string, quote: string): boolean {
  const [said, asked] = [plain(sentence), plain(quote)]
  return asked !== '' && (said.includes(asked) || asked.includes(said))
}

function includes(sentence: string, value: string): boolean {
  return ` ${plain(sentence)} `.includes(` ${plain(value)} `)
}

function plain(text: string): string {
  return (comparable(text).match(/[\p{L}\p{N}+#.-]+/gu) ?? []).join(' ').replace(/\.(?=\s|$)/g, '')
}
