import { terminalText } from './clean-lines.ts'
import { moreThan, type Output, readOutput } from './output.ts'
import type { OutputKind } from './output-kind.ts'
import { worth } from './piece.ts'
import { composeLines, weighLines } from './plain.ts'
import { oncePerSight } from './sight.ts'

const opening = /^\s*(?:<!doctype html|<html[\s>]|<head[\s>])/i
const tag = /<[/!]?[a-z][a-z0-9-]*(?:\s[^<>]{0,2000})?>/gi

/** A page: its text, headings and links; scripts, styles and tags go. */
export const html: OutputKind = {
  kind: 'html',
  bestFit: 0.74,
  fits(output) {
    const { action } = output.source
    if (action?.kind === 'read' || action?.kind === 'search') return 0
    // A page that a program prints among other things is no page: a test that failed shows the one that it rendered.
    if (output.sample.slice(0, 12).some((line) => opening.test(line))) return 0.74
    return action?.kind === 'fetch' && moreThan(0.7, output, /^\s*<[/a-z][^>]*>/i) ? 0.7 : 0
  },
  digest(output, limits) {
    const page = readOutput({ ...output.source, text: textOfPage(output) })
    return composeLines(paragraphs(page), page, limits, {
      marksCuts: false,
      noun: 'lines of the page',
    })
  },
}

const textOfPage = oncePerSight(({ source }: Output) => pageText(source.text))

const paragraphs = oncePerSight((page: Output) =>
  weighLines(page, (line) => {
    if (/^#{1,6} /.test(line)) return worth.telling
    return /^\s*\[[^\]]*\]\(/.test(line) ? worth.little : null
  }),
)

/** The text of a page with headings and links in the words of Markdown. One pass each, so that no page is slow. */
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
