import { terminalText } from './clean-lines.ts'
import type { OutputKind } from './output.ts'
import { moreThan, type Output, readOutput } from './output.ts'
import { worth } from './piece.ts'
import { composeLines, weighLines } from './plain.ts'

const opening = /^\s*(?:<!doctype html|<html[\s>]|<head[\s>])/i
const tag = /<[/!]?[a-z][a-z0-9-]*(?:\s[^<>]{0,2000})?>/gi

/** A web page: its text, headings and links, without scripts, styles and tags. */
export const html: OutputKind = {
  kind: 'html',
  bestFit: 0.74,
  fits(output) {
    const { action } = output.source
    if (action?.kind === 'read' || action?.kind === 'search') return 0
    // Only at the start: a failed test may print a page that it rendered among other output.
    if (output.sample.slice(0, 12).some((line) => opening.test(line))) return 0.74
    return action?.kind === 'fetch' && moreThan(0.7, output, /^\s*<[/a-z][^>]*>/i) ? 0.7 : 0
  },
  digest(output, limits) {
    const page = readOutput({ ...output.source, text: pageText(output.source.text) })
    return composeLines(paragraphs(page), page, limits, {
      marksCuts: false,
      noun: 'lines of the page',
    })
  },
}

const paragraphs = (page: Output) =>
  weighLines(page, (line) => {
    if (/^#{1,6} /.test(line)) return worth.informative
    return /^\s*\[[^\]]*\]\(/.test(line) ? worth.little : null
  })

/** The text of a page with headings and links as Markdown. */
function pageText(source: string): string {
  const text = withoutElements(withoutElements(terminalText(source), 'script'), 'style')
    .replaceAll(
      /<h([1-6])(?:\s[^<>]{0,500})?>/gi,
      (_, level: string) => `\n${'#'.repeat(Number(level))} `,
    )
    .replaceAll(
      /<a\s[^<>]{0,500}?href=["']?([^"'\s<>]{1,500})[^<>]{0,500}>([^<]{0,300})<\/a>/gi,
      '[$2]($1)',
    )
    .replaceAll(/<(?:p|div|li|tr|br|section|article|pre|h\d)(?:\s[^<>]{0,500})?\/?>/gi, '\n')
    .replaceAll(tag, ' ')
  return decoded(text)
    .split('\n')
    .map((line) => line.replaceAll(/[ \t]+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
}

function withoutElements(text: string, name: string): string {
  const parts: string[] = []
  const lower = text.toLowerCase()
  let at = 0
  for (;;) {
    const start = lower.indexOf(`<${name}`, at)
    if (start === -1) break
    parts.push(text.slice(at, start))
    const end = lower.indexOf(`</${name}`, start)
    if (end === -1) return parts.join('')
    const close = text.indexOf('>', end)
    at = close === -1 ? text.length : close + 1
  }
  parts.push(text.slice(at))
  return parts.join('')
}

function decoded(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
}
