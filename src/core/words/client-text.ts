/**
 * Texts that a client adds to the user's turn in its own frame: a list of skills, the text of a called skill, a
 * reminder of the task list. They are not the user's words. All text that is not recognised counts as the user's.
 */
export type ClientText = 'skill-listing' | 'skill-text' | 'task-reminder'

const open = '<system-reminder>\n'
const close = '</system-reminder>'

/** How Claude Code begins its reminders, inside the frame. */
export const skillListingHead = 'The following skills are available for use with the Skill tool:\n'
export const taskReminderHeads = [
  "The task tools haven't been used recently.",
  "The TodoWrite tool hasn't been used recently.",
] as const

/** How Claude Code begins the text of a skill. It has no frame, but the client accepts no prompt that begins like this. */
const skillText = /^Base directory for this skill: \/[^\n]*\n/

export function clientTextOf(text: string): ClientText | null {
  if (skillText.test(text)) return 'skill-text'
  const body = framedBody(text)
  if (body === null) return null
  if (body.startsWith(skillListingHead)) return 'skill-listing'
  return taskReminderHeads.some((head) => body.startsWith(head)) ? 'task-reminder' : null
}

/** The text inside a reminder; null when the text is anything but one reminder. */
export function framedBody(text: string): string | null {
  if (!text.startsWith(open)) return null
  const end = text.indexOf(close)
  return text.slice(end + close.length).trim() === '' && end !== -1
    ? text.slice(open.length, end)
    : null
}

/** The same frame with another text inside. */
export function framed(body: string): string {
  return `${open}${body}\n${close}`
}
