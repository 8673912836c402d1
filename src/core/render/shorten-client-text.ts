import { framed, framedBody, skillListingHead } from '../words/client-text.ts'
import { plural } from './counts.ts'
import { cutWords, firstShorter } from './cut.ts'
import { cutMark, placeholder, type Recall, restoreHint } from './marks.ts'

/** How much of each skill's description stays: enough to show what the skill is for. */
const descriptionChars = 60
/** How much of a skill's text stays before its headings. */
const introductionChars = 400
const mostHeadings = 30

/** A list of skills with every name and the beginning of every description; null when that is not shorter. */
export function shortSkillListing(text: string, recall: Recall): string | null {
  const body = framedBody(text)
  if (body === null) return null
  const lines = body.slice(skillListingHead.length).trim().split('\n')
  // Further lines of a description have no name.
  const kept = lines
    .filter((line) => line.startsWith('- '))
    .map((line) => cutWords(line, line.indexOf(': ') + descriptionChars))
  if (kept.length === 0) return null
  const left = cutMark.write(`${plural(kept.length, 'description')} shortened`, restoreHint(recall))
  return firstShorter([framed(`${skillListingHead}\n${kept.join('\n')}\n${left}`)], text)
}

/** The beginning of a skill's text and its headings; null when that is not shorter. */
export function shortSkillText(text: string, recall: Recall): string | null {
  const head = cutWords(text, introductionChars)
  const rest = text.slice(head.length)
  const headings = rest.split('\n').filter((line) => /^#{1,4} \S/.test(line))
  const left = cutMark.write('the rest of the skill left out', restoreHint(recall))
  return firstShorter([[head, ...headings.slice(0, mostHeadings), left].join('\n')], text)
}

/** The line in place of a reminder that a later one replaced. */
export function replacedReminder(what: string, text: string, recall: Recall): string | null {
  const why = placeholder.why('injected', 'reminder')
  return firstShorter([framed(placeholder.write(what, why, restoreHint(recall)))], text)
}
