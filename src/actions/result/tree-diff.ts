import { runsGit } from '../../core/words/git-verbs.ts'
import type { FileGlimpse } from '../../core/words/reading.ts'

const gitDiff =
  /^\s*(?:cd\s+\S+\s*)?git(?:\s+(?:-C\s+\S+|-c\s+\S+|--no-pager|-P))*\s+diff\b(?!-)([\s\S]*)$/
/** With these the newer side is not the working tree, or the output no plain diff. */
const otherSide =
  /\s(?:--cached|--staged|--no-index|--merge-base|-R|--word-diff\S*|--color-words\S*|--color(?:=always)?|--submodule\S*|--cc|-c)(?:\s|$)|\S\.\.+\S|\s[\w/@{}^~.-]*\.\.\.?(?:\s|$)/
const otherGitDiffs = /\s(?:show|log|stash|format-patch|range-diff)\b/
const otherDiffs = /(?:^|[;&|(])\s*diff\s|\.(?:patch|diff)\b/

/**
 * What `git diff` shows of the files of the working tree. Empty unless the command runs it once and nothing else that
 * prints diffs.
 */
export function treeDiffs(
  command: string,
  output: string,
  options: { readonly truncated: boolean },
): readonly FileGlimpse[] {
  if (!command.includes('diff') || !output.includes('@@ ')) return []
  const parts = command.split(/&&|\|\||[;\n]/)
  const diffs = parts.flatMap((part) => {
    const [first = '', ...filters] = part.split('|')
    const rest = gitDiff.exec(first)?.[1]
    return rest === undefined ? [] : [{ rest, filtered: filters.length > 0 }]
  })
  const only = diffs[0]
  if (only === undefined || diffs.length > 1) return []
  if (runsGit(command, otherGitDiffs) || otherDiffs.test(command)) return []
  const [revisions = ''] = only.rest.split(/\s--(?:\s|$)/)
  if (otherSide.test(revisions) || namesTwo(revisions)) return []
  return readDiffs(output.split('\n'), { whole: !only.filtered && !options.truncated })
}

/** `git diff main dev` compares two commits; paths may stand without dashes before them, and look like paths. */
function namesTwo(revisions: string): boolean {
  const words = revisions.split(/\s+/).filter((word) => word !== '' && !/^(?:-|\d*>)/.test(word))
  return words.filter((word) => !/[./]\w/.test(word)).length > 1
}

const hunkHeading = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

function readDiffs(
  lines: readonly string[],
  { whole }: { readonly whole: boolean },
): readonly FileGlimpse[] {
  const diffs: FileGlimpse[] = []
  let path: string | null = null
  let hunks: FileGlimpse['stretches'][number][] = []
  let broken = false
  const close = (): void => {
    if (path !== null && hunks.length > 0)
      diffs.push({ path, stretches: hunks, complete: whole && !broken })
    path = null
    hunks = []
    broken = false
  }
  for (let index = 0; index < lines.length; ) {
    const line = lines[index] as string
    if (line.startsWith('diff --git ')) close()
    if (line.startsWith('+++ ')) path = newPath(line.slice(4))
    const heading = path === null ? null : hunkHeading.exec(line)
    if (heading === null) {
      index++
      continue
    }
    const hunk = readHunk(lines, index + 1, heading)
    if (hunk === null) broken = true
    else hunks.push({ first: Number(heading[3]), lines: hunk.lines })
    index = hunk?.end ?? index + 1
  }
  close()
  return diffs
}

function newPath(field: string): string | null {
  const name = field.replace(/[\t\r].*$/, '')
  if (name === '/dev/null' || name.startsWith('"')) return null
  return name.replace(/^[bw]\//, '')
}

/** The newer side of a hunk; null when it is not as long as its heading says. */
function readHunk(
  lines: readonly string[],
  start: number,
  heading: RegExpExecArray,
): { readonly lines: readonly string[]; readonly end: number } | null {
  let older = Number(heading[2] ?? 1)
  let newer = Number(heading[4] ?? 1)
  const shown: string[] = []
  let at = start
  while (older > 0 || newer > 0) {
    const line = lines[at]
    const sign = line === '' ? ' ' : line?.[0]
    if (line === undefined || sign === undefined || !/[-+ \\]/.test(sign)) return null
    at++
    if (sign === '\\') continue
    if (sign !== '+') older--
    if (sign !== '-') {
      newer--
      shown.push(line.slice(1))
    }
  }
  return older === 0 && newer === 0 ? { lines: shown, end: at } : null
}
