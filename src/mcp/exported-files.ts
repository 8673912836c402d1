import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { redactText } from '../memory/forget/redact-text.ts'
import type { Memory } from '../memory/memory.ts'
import type { Place } from '../memory/observe.ts'
import { renewedJsonLines } from '../memory/transfer/json-lines.ts'
import { exportMarkdown, hasMarkdownSection, insertMarkdown } from '../memory/transfer/markdown.ts'

export type ExportFormat = 'jsonl' | 'markdown' | 'adr'

/** Keeps in mind where an export went, so that forgetting can go there too. */
export function noteExport(memory: Memory, format: ExportFormat, file: string, place: Place): void {
  const target = path.resolve(file)
  const { project } = place
  memory.write(({ state, at }) => {
    const known = state.exports.get(target)
    const isKnown = known?.format === format && known.project === project
    const event = { kind: 'exported', at, path: target, format, project } as const
    return { events: isKnown ? [] : [event], result: undefined }
  })
}

/** Takes what was forgotten out of the files that were exported. Gives those that changed; what is gone is passed over. */
export function forgetInExports(
  memory: Memory,
  forgotten: { readonly items: readonly string[]; readonly words: readonly string[] },
): readonly string[] {
  const changed = new Set<string>()
  for (const [target, { format, project }] of memory.state.exports) {
    if (!existsSync(target)) continue
    const files = statSync(target).isDirectory()
      ? readdirSync(target).flatMap((file) => (/\.md$/.test(file) ? [path.join(target, file)] : []))
      : [target]
    const gone: string[] = []
    for (const file of files) {
      const before = readFileSync(file, 'utf8')
      const after = textWithout(memory, before, { format, project, ...forgotten })
      if (after === before) continue
      if (after === null) {
        rmSync(file)
        gone.push(path.basename(file))
      } else writeFileSync(file, after)
      changed.add(file)
    }
    for (const file of files)
      if (gone.length > 0 && existsSync(file) && unlink(file, gone)) changed.add(file)
  }
  return [...changed]
}

/** A link to a record that is gone says its title. */
function unlink(file: string, gone: readonly string[]): boolean {
  const before = readFileSync(file, 'utf8')
  const after = before.replace(/\[[^\]\n]*\]\(([^)\n]+)\)/g, (link, to: string) =>
    gone.includes(path.basename(to)) ? 'a forgotten decision' : link,
  )
  if (after !== before) writeFileSync(file, after)
  return after !== before
}

interface ExportedText {
  readonly format: ExportFormat
  readonly project: string
  readonly items: readonly string[]
  readonly words: readonly string[]
}

/** null when nothing of it may stay. */
function textWithout(
  memory: Memory,
  text: string,
  { format, project, items, words }: ExportedText,
): string | null {
  switch (format) {
    case 'jsonl': {
      const isIn = items.some((id) => text.includes(id)) || redactText(words)(text) !== text
      return isIn
        ? renewedJsonLines(memory, text)
            .map((line) => `${line}\n`)
            .join('')
        : text
    }
    case 'markdown': {
      if (!hasMarkdownSection(text)) return redactText(words)(text)
      const section = exportMarkdown(memory, { project, session: '' })
      return redactText(words)(insertMarkdown(text, section))
    }
    case 'adr':
      if (items.some((id) => text.includes(`<!-- id: ${id} -->`))) return null
      return redactText(words)(text)
  }
}
