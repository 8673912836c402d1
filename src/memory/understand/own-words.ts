import { namedAttribute } from '../lexicon/lookup.ts'

/** Removes the parts of a message that are not the user's own words: code, quotes, logs, tags, pasted output. */

const fences = /(^|\n)[ \t]*(```|~~~)[^\n]*\n[\s\S]*?(?:\n[ \t]*\2[^\n]*(?=\n|$)|$)/g
const taggedBlocks = /<([a-z][\w-]*)(?:\s[^<>]*)?>[\s\S]*?<\/\1>/gi
const loneTags = /<\/?[a-z][\w-]*(?:\s[^<>]*)?\/?>/gi
const links = /\bhttps?:\/\/\S+/g
const inlineCode = /`([^`\n]+)`/g
const doubleQuotes = /["“”]([^"“”\n]*(?:\n[^"“”\n]+){0,3})["“”]/g
const singleQuotes = /(^|[\s(:])['‘]([^'‘’\n]{1,200})['’](?=$|[\s).,;:!?])/g

/** Lines that a program or another person wrote. */
const foreignLines: readonly RegExp[] = [
  /^\s*>/,
  /^\s*[$%#❯➜»]\s+\S/,
  /^\s*>>>/,
  /^\s*(?:[+-]{1,3}|@@)(?:\s|\d|[{}()])/,
  /^\s*(?:\[?\d{4}-\d\d-\d\d|\[?\d\d?:\d\d:\d\d|\d+\s*[|│]|\w{3} \d+ \d\d:)/,
  /^\s*(?:at \S+.*[:(]\d+|File ".*", line \d+|Traceback|Caused by:)/,
  /^\s*(?:npm (?:ERR|WARN)|error(?:\[\w+\])?:|warning:|fatal:|ERROR|WARN|INFO|DEBUG|FAIL|PASS|✗|✓|✖|⎿|⏺|● )/,
  /^\s*[{}\]]|^\s*\[\s*(?:$|["{[\d])|[{};]\s*$|=>|^\s*(?:const|let|var|function|import|export|class|def|return|public|private|if|for|while)\b.*[({=:;]/,
  /^\s*[─━═│┃┌└├╭╰*_=-]{3,}/,
  /^\s*\/\//,
  /^\s*(?:from|subject|to|date|sent):\s/i,
]

/** A quoted or code span this short may be a name: `pnpm`, "Vim". */
const shortSpanWords = 3
const nameLike = /^[\p{L}\p{N}@#$][\p{L}\p{N}@#+. _/-]*$/u

function isName(span: string): boolean {
  const name = span.trim()
  if (name === '' || name.split(/\s+/).length > shortSpanWords) return false
  return nameLike.test(name) && !/[/\\].*\.\w+$|\(\)$/.test(name)
}

/** The user's own words, with a placeholder for each longer quoted text. */
export interface OwnWords {
  readonly text: string
  /** Replaces the placeholders by the quoted texts. */
  restore(text: string): string
  /** Replaces the placeholders of addresses and code. Those of quotes stay. */
  restoreCode(text: string): string
}

/** The user's own words in a message. Line breaks stay. */
export function ownWords(message: string): OwnWords {
  const shown: { readonly text: string; readonly isQuote: boolean }[] = []
  const mask = (span: string, whole: string, isQuote: boolean): string => {
    if (isName(span)) return span
    shown.push({ text: whole, isQuote })
    return `ϟ${shown.length - 1}ϟ`
  }
  const fill = (masked: string, isWanted: (isQuote: boolean) => boolean): string =>
    masked.replace(/ϟ(\d+)ϟ/g, (placeholder, index: string) => {
      const { text, isQuote } = shown[Number(index)] ?? { text: '', isQuote: false }
      return isWanted(isQuote) ? text : placeholder
    })
  const lines = message
    .replace(fences, '\n')
    .replace(taggedBlocks, '\n')
    .replace(loneTags, ' ')
    .replace(links, (link) => mask('', link, false))
    .replace(inlineCode, (whole, span: string) => mask(span, whole, false))
    .replace(doubleQuotes, (whole, span: string) => mask(span, whole, true))
    .replace(
      singleQuotes,
      (whole, before: string, span: string) =>
        before + mask(span, whole.slice(before.length), true),
    )
    .split('\n')
    .filter((line) => !foreignLines.some((pattern) => pattern.test(line)))
  const text = withoutTranscript(lines).join('\n')
  return {
    text,
    restore: (masked) => fill(masked, () => true),
    restoreCode: (masked) => fill(masked, (isQuote) => !isQuote),
  }
}

const speaker =
  /^\s*(?:\[[^\]]{1,20}\]\s*)?(?<who>\p{L}[\p{L}\p{N}._-]{0,24}(?: \p{Lu}\p{L}+)?)\s*:\s+\S/u
const role = /^(?:user|human|assistant|ai|bot|system)$/i

/** Lines of several speakers (`Alice: we use Yarn`, `Bob: no, npm`) were pasted. */
function withoutTranscript(lines: readonly string[]): readonly string[] {
  const who = lines.map((line) => speaker.exec(line)?.groups?.who?.toLowerCase())
  const names = new Set(who.filter((name) => name !== undefined && isPerson(name)))
  const isTranscript = names.size >= 2 || [...names].some((name) => role.test(name ?? ''))
  return isTranscript ? lines.filter((_, at) => !names.has(who[at])) : lines
}

/** Not a label such as `note:` and not a part of the project. */
function isPerson(name: string): boolean {
  return (
    !/^(?:note|notes|update|correction|decision|fyi|ps|todo|also|actually|edit|btw|reminder|question|answer|context|goal|task|problem|bug|fix|fact|rule|rules|style|summary|result|expected|actual|steps?|example|warning|tip|important|remember|option|idea|plan|next|final|ok|okay|no|yes|sorry|wait|first|second|third|finally|stack|tools?|tooling|setup|infra|deployment|build|server|client|app|code|repo|project|team|me)$/.test(
      name,
    ) && namedAttribute(name) === undefined
  )
}

/** A plan, an issue or a file that was pasted whole: long, or laid out like a document. */
export function isDocument(message: string): boolean {
  if (message.length > 4000) return true
  const headings = message.match(/^#{1,6} \S/gm)?.length ?? 0
  const entries = message.match(/^\s*(?:[-*•]|\d+[.)]) \S/gm)?.length ?? 0
  return headings >= 2 || entries >= 8 || (message.length > 1500 && headings + entries >= 3)
}
