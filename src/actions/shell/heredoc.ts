import type { HereDoc } from 'unbash'
import type { ShellContext } from './context.ts'
import { expandText } from './word.ts'

/** The text that a heredoc feeds to its command; null when only running it would tell. */
export function heredocText(context: ShellContext, heredoc: HereDoc): string | null {
  if (heredoc.closing === undefined) return null
  const text = heredoc.delimiter?.quoted ? heredoc.body.text : expandBody(context, heredoc)
  if (text === null) return null
  return heredoc.operator === '<<-' ? text.replace(/^\t+/gm, '') : text
}

function expandBody(context: ShellContext, heredoc: HereDoc): string | null {
  const { parts, text } = heredoc.body
  if (parts === undefined) return unescapeBody(text)
  const field = expandText(context, parts)
  return field.kind === 'literal' ? field.text : null
}

/** Without quotes, a backslash counts before `$`, a backtick, itself and the end of the line. */
function unescapeBody(text: string): string {
  return text.replace(/\\([$`\\\n])/g, (_, character: string) =>
    character === '\n' ? '' : character,
  )
}
