import { leadInWith } from '../understand/lead-in.ts'
import type { Owner } from './claim.ts'

const lead = `^${leadInWith('no|correction|currently|today|as of (?:today|now|this week)|from now on|going forward|remember(?: that)?')}`
const user = new RegExp(`${lead}(?:i|i'm|i've|i'd|i'll|my|myself|me|call me)\\b`, 'i')
const project = new RegExp(
  `${lead}(?:we|we're|we've|we'd|we'll|our|let's|lets|let us|(?:the|this|our) (?:project|repo|repository|codebase|code base|app|application|team|company|monorepo|service|backend|frontend|api|stack|product|package|library|site|website|cli|server|client|tests?)|here we|everything|tests|(?:all|every|any) (?:new |our |the )*(?:code|files?|modules?|services?|components?|packages?|tests?|scripts?))\\b`,
  'i',
)
const bareInstruction = new RegExp(
  `${lead}(?:use|switch|change|move|migrate|replace|prefer|stop|don't|do not|never|always|not|instead|rather|go with|make|keep|drop|indent|answer|respond|reply|speak)\\b`,
  'i',
)

/** `Postgres, not MySQL` has no subject. */
const fragment =
  /^(?:(?:\S+\s+){0,2}\S+\s*,\s*(?:not|never|no)\s+\S+(?:\s+\S+)?|no\s+\S+(?:\s+\S+)?(?:\s*,\s*(?:\S+\s+){0,2}\S+)?)[.!]*$/i

/** Who or what a sentence is about; undefined when it is neither the user nor the project. */
export function ownerOf(sentence: string): Owner | undefined {
  const text = sentence.replaceAll('’', "'")
  if (user.test(text)) return 'user'
  if (project.test(text)) return 'project'
  if (bareInstruction.test(text)) return 'unsaid'
  return fragment.test(text) ? 'unsaid' : undefined
}
