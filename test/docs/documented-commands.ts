import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { projectRoot } from '../model/project-root.ts'

export interface DocumentedCommand {
  readonly page: string
  readonly line: number
  readonly text: string
}

const pages = ['README.md', 'CONTRIBUTING.md', ...docs()]

/** Lines of the shell blocks, without their comments. */
export function shellLines(): readonly DocumentedCommand[] {
  return pages.flatMap((page) => {
    let isShell = false
    return joined(linesOf(page)).flatMap(({ text: each, at }) => {
      if (each.startsWith('```')) {
        isShell = each.startsWith('```sh')
        return []
      }
      const text = each.replace(/\s+#\s.*$/, '').trim()
      return isShell && text !== '' ? [{ page, line: at + 1, text }] : []
    })
  })
}

/** Commands of ours that a sentence or a table names. */
export function namedCommands(): readonly DocumentedCommand[] {
  return pages.flatMap((page) =>
    linesOf(page).flatMap((each, at) =>
      [...each.matchAll(/`(palimpsest [^`]+)`/g)].map(([, text = '']) => ({
        page,
        line: at + 1,
        text: text.replaceAll('\\|', '|'),
      })),
    ),
  )
}

/** Lines with those that a backslash at their end continues. */
function joined(
  lines: readonly string[],
): readonly { readonly text: string; readonly at: number }[] {
  const whole: { text: string; at: number }[] = []
  for (const [at, line] of lines.entries()) {
    const last = whole.at(-1)
    if (last?.text.endsWith('\\')) last.text = `${last.text.slice(0, -1)}${line.trim()}`
    else whole.push({ text: line, at })
  }
  return whole
}

function docs(): readonly string[] {
  return readdirSync(path.join(projectRoot, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
}

function linesOf(page: string): readonly string[] {
  return readFileSync(path.join(projectRoot, page), 'utf8').split('\n')
}
