import type { HereDoc } from 'unbash'
import type { ShellContext } from './context.ts'
import { expandText } from './word.ts'

/** The text of a heredoc; null if only running the command would tell. */
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

/** In an unquoted heredoc, a backslash escapes `$`, a backtick, itself and a line end. */
function unescapeBody(text: string): string {
  return text.replace(/\\([$`\\\n])/g, (_, character: string) =>
    character === '\n' ? '' : character,
  )
}
