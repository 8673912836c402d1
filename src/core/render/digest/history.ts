import type { OutputKind } from './output.ts'
import { moreThan, type Output } from './output.ts'
import { type Worth, worth } from './piece.ts'
import { composeLines, weighLines } from './plain.ts'

const commitLine = /^[*|\\/ ]*(?:commit )?[0-9a-f]{7,40}\b/
const blameLine = /^\^?[0-9a-f]{7,40} (?:\S+ +)?\(.*?\d{4}-\d\d-\d\d.*?\d+\)/
const statusLine = /^(?:[ MADRCU?!]{2} |\t|\s+(?:modified|new file|deleted|renamed|both modified):)/

/** The output of git log, blame, status and the like: hashes and subjects before dates, authors and bodies. */
export const history: OutputKind = {
  kind: 'history',
  bestFit: 0.85,
  fits(output) {
    const verb = gitVerb(output)
    if (verb === 'blame') return moreThan(0.5, output, blameLine) ? 0.85 : 0
    if (verb === 'log' || verb === 'reflog' || verb === 'shortlog') return 0.7
    if (verb === 'show') return 0.55
    if (verb === 'status' || verb === 'branch' || verb === 'stash')
      return moreThan(0.2, output, statusLine) ? 0.7 : 0
    return verb === 'pull' || verb === 'fetch' || verb === 'push' ? 0.55 : 0
  },
  digest(output, limits) {
    return composeLines(commits(output), output, limits)
  },
}

const commits = (output: Output) => {
  if (gitVerb(output) !== 'blame') return weighLines(output, weigh)
  const shown = { ...output, lines: output.lines.map(shortBlame) }
  return weighLines(shown, () => worth.plain)
}

function gitVerb({ programs }: Output): string {
  for (const [program, ...words] of programs) {
    if (program !== 'git') continue
    // `-C` and `-c` before the verb have a value: `git -C folder log`.
    const at = words.findIndex(
      (word, index) => !word.startsWith('-') && !/^-[Cc]$/.test(words[index - 1] ?? ''),
    )
    const verb = words[at] ?? ''
    if (/^(?:log|reflog|shortlog|blame|show|status|branch|stash|pull|fetch|push)$/.test(verb))
      return verb
  }
  return ''
}

function weigh(line: string): Worth | null {
  if (commitLine.test(line)) return worth.informative
  if (/^(?:Author|AuthorDate|Commit|CommitDate|Merge|Date):/.test(line)) return worth.little
  if (statusLine.test(line)) return worth.naming
  return /^ {4}\S/.test(line) ? worth.plain : null
}

/** A blame line without its author and date. */
function shortBlame(line: string): string {
  return line.replace(/^(\^?[0-9a-f]{7,40}) (?:\S+ +)?\(.*? (\d+)\) ?/, '$1 $2) ')
}
