import type { HereDoc, Redirect, Redirection } from 'unbash'
import type { Field, ShellContext } from './context.ts'
import { OTHER, type Output, SILENT } from './output.ts'
import { readFile } from './programs/program.ts'
import { recordPath, recordWrite } from './record.ts'
import { expandSingle, expandText } from './word.ts'

/** Where a command's input comes from and its output goes. */
export interface Plumbing {
  /** undefined if the input is not redirected. */
  readonly input: Output | undefined
  readonly target: { readonly field: Field; readonly append: boolean } | null
}

/** Reads the redirections of a command. Files for errors and other streams count as changed. */
export function openRedirects(context: ShellContext, redirects: readonly Redirection[]): Plumbing {
  let input: Output | undefined
  let target: Plumbing['target'] = null
  for (const redirect of redirects) {
    if (redirect.type === 'HereDoc') {
      const text = heredocText(context, redirect)
      input = text === null ? OTHER : [{ kind: 'text', text }]
    } else if (redirect.type === 'HereString') {
      if (redirect.target === undefined) continue
      const field = expandSingle(context, redirect.target)
      input = field.kind === 'literal' ? [{ kind: 'text', text: `${field.text}\n` }] : OTHER
    } else if (redirect.operator === '<') input = openInput(context, redirect)
    else {
      const opened = openOutput(context, redirect)
      if (opened !== null) {
        if (target !== null) recordPath(context, target.field)
        target = opened
      }
    }
  }
  return { input, target }
}

/** Writes a command's output to its redirections and returns the rest. */
export function closeRedirects(context: ShellContext, plumbing: Plumbing, output: Output): Output {
  if (plumbing.target === null) return output
  const { field, append } = plumbing.target
  recordWrite(context, field, output, { append })
  return SILENT
}

function openInput(context: ShellContext, redirect: Redirect): Output {
  if (redirect.target === undefined) return OTHER
  const part = redirect.target.parts?.[0]
  if (part?.type === 'ProcessSubstitution' && part.script !== undefined) {
    return context.run.substitution(context, part.script)
  }
  return readFile(context, expandSingle(context, redirect.target))
}

function openOutput(context: ShellContext, redirect: Redirect): Plumbing['target'] {
  const { operator, descriptor, target } = redirect
  if (target === undefined || operator === '<&') return null
  const field = expandSingle(context, target)
  if (operator === '>&' && (/^\d*-?$/.test(field.text) || field.kind === 'unknown')) return null
  if (target.parts?.[0]?.type === 'ProcessSubstitution') return null
  const stream = descriptor?.type === 'FileDescriptor' ? descriptor.value : 1
  const append = operator === '>>' || operator === '&>>'
  if (stream === 1 && descriptor?.type !== 'FileDescriptorVariable' && operator !== '<>') {
    return { field, append }
  }
  recordPath(context, field)
  return null
}

/** The text of a heredoc; null if only running the command would tell. */
function heredocText(context: ShellContext, heredoc: HereDoc): string | null {
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
