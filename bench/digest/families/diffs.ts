import { codeLine, statement } from '../code-lines.ts'
import type { Marked, Program, Row, Sheet } from '../sheet.ts'
import { functionName, noun, person, service, sourceFile, verb } from '../words.ts'

type Line = string | Marked

interface Lines {
  readonly lines: readonly Line[]
}

/** Two parts of a diff as one row, so that a short one does not take the place of a long one. */
const together = (one: Lines, other: Lines): Row => ({ lines: [...one.lines, ...other.lines] })

interface Layout {
  /** Context lines on each side of a change. */
  readonly context: number
  readonly hunks: number
  readonly header: (path: string) => readonly Line[]
  readonly path: () => string
  readonly contextLine: () => string
  readonly changed: () => string
  /** What follows the second `@@`. */
  readonly place: () => string
}

const changed = (text: string): Marked => ({ kind: 'change', text, shape: 'changed line' })

/** One file of a unified diff. There are always fewer changed lines than lines of context. */
function fileDiff(sheet: Sheet, layout: Layout): Lines {
  const path = layout.path()
  const lines: Line[] = [...layout.header(path)]
  let at = sheet.between(1, 60)
  let shift = 0
  const context = (): void => {
    for (let count = 0; count < layout.context; count++) lines.push(` ${layout.contextLine()}`)
  }
  for (let hunk = 0; hunk < layout.hunks; hunk++) {
    const removed = sheet.below(3)
    const added = removed === 0 ? sheet.between(1, 2) : sheet.below(3)
    const around = layout.context * 2
    lines.push(
      `@@ -${at},${around + removed} +${at + shift},${around + added} @@ ${layout.place()}`.trimEnd(),
    )
    context()
    for (let count = 0; count < removed; count++) lines.push(changed(`-${layout.changed()}`))
    for (let count = 0; count < added; count++) lines.push(changed(`+${layout.changed()}`))
    context()
    shift += added - removed
    at += around + removed + sheet.between(5, 90)
  }
  return { lines }
}

const gitHeader =
  (sheet: Sheet) =>
  (path: string): readonly Line[] => [
    {
      kind: 'change',
      text: `diff --git a/${path} b/${path}`,
      facts: [path],
      shape: 'changed file',
    },
    `index ${sheet.hex(9)}..${sheet.hex(9)} 100644`,
    `--- a/${path}`,
    `+++ b/${path}`,
  ]

const gitLayout = (sheet: Sheet, context: number, hunks: number): Layout => ({
  context,
  hunks,
  header: gitHeader(sheet),
  path: () => sourceFile(sheet, 'ts'),
  contextLine: () => codeLine(sheet),
  changed: () => statement(sheet),
  place: () => `export function ${functionName(sheet)}(`,
})

/** Changes of a file that are no changed lines. */
function fileChanges(sheet: Sheet): readonly Lines[] {
  const [from, to, script] = [sourceFile(sheet, 'ts'), sourceFile(sheet, 'ts'), noun(sheet)]
  const image = `assets/${noun(sheet)}.png`
  return [
    {
      lines: [
        `diff --git a/${from} b/${to}`,
        'similarity index 100%',
        { kind: 'change', text: `rename from ${from}`, facts: [from, to] },
        { kind: 'change', text: `rename to ${to}`, facts: [from, to] },
      ],
    },
    {
      lines: [
        {
          kind: 'change',
          text: `diff --git a/scripts/${script}.sh b/scripts/${script}.sh`,
          facts: [`scripts/${script}.sh`],
        },
        'old mode 100644',
        { kind: 'change', text: 'new mode 100755', facts: [`${script}.sh`, '100755'] },
      ],
    },
    {
      lines: [
        `diff --git a/${image} b/${image}`,
        `index ${sheet.hex(9)}..${sheet.hex(9)} 100644`,
        { kind: 'change', text: `Binary files a/${image} and b/${image} differ`, facts: [image] },
      ],
    },
  ]
}

const gitDiff: Program = {
  program: 'git diff',
  write(sheet) {
    const context = [3, 10, 3, 25, 10][sheet.variant]!
    const file = (): Lines => fileDiff(sheet, gitLayout(sheet, context, sheet.between(2, 4)))
    const others = sheet.some(fileChanges(sheet), sheet.below(2))
    sheet.fill(
      file,
      others.map((other) => together(other, file())),
    )
    return { command: context === 3 ? 'git diff' : `git diff -U${context} main` }
  },
}

const gitShow: Program = {
  program: 'git show',
  write(sheet) {
    const commit = sheet.hex(40)
    const author = person(sheet)
    sheet.line(
      `commit ${commit}`,
      `Author: ${author} <${author}@acme.io>`,
      `Date:   Sat Mar 14 0${sheet.below(10)}:21:07 2026 +0000`,
      '',
    )
    sheet.mark('summary', `    fix(${service(sheet)}): ${verb(sheet)} the ${noun(sheet)} only once`)
    sheet.line('')
    // Whole functions as context: few changes in a long text.
    const context = [30, 60, 90, 120, 180][sheet.variant]!
    sheet.fill(() => fileDiff(sheet, gitLayout(sheet, context, 1)), [])
    return { command: `git show -W ${commit.slice(0, 9)}` }
  },
}

const diffU: Program = {
  program: 'diff -u',
  write(sheet) {
    const setting = (): string =>
      `${' '.repeat(2 * sheet.below(3))}${noun(sheet)}_${noun(sheet)}: ${sheet.pick([`${sheet.below(5000)}`, `"${noun(sheet)}"`, 'true', 'false'])}`
    const stamp = (): string =>
      `2026-03-1${sheet.below(10)} 0${sheet.below(10)}:12:41.${sheet.between(100_000_000, 999_999_999)} +0000`
    const context = [12, 10, 15, 20, 40][sheet.variant]!
    const layout = (): Layout => ({
      context,
      hunks: sheet.between(1, 2),
      path: () => `${service(sheet)}/${noun(sheet)}-${noun(sheet)}.yaml`,
      header: (path) => [
        {
          kind: 'change',
          text: `diff -r -U ${context} deployed/${path} wanted/${path}`,
          facts: [path],
          shape: 'changed file',
        },
        `--- deployed/${path}\t${stamp()}`,
        `+++ wanted/${path}\t${stamp()}`,
      ],
      contextLine: setting,
      changed: setting,
      place: () => '',
    })
    const only = `${noun(sheet)}-${noun(sheet)}.yaml`
    const planted: readonly Marked[] = [
      { kind: 'exception', text: `Only in wanted/${service(sheet)}: ${only}`, facts: [only] },
      {
        kind: 'exception',
        text: `Binary files deployed/${service(sheet)}/store.jks and wanted/${service(sheet)}/store.jks differ`,
      },
    ]
    const file = (): Lines => fileDiff(sheet, layout())
    sheet.fill(
      file,
      sheet.some(planted, sheet.below(3)).map((other) => together({ lines: [other] }, file())),
    )
    return {
      command: `diff -r -U ${context} deployed wanted`,
      // This program ends with 1 where there is a difference.
      status: 'error',
    }
  },
}

const ghPrDiff: Program = {
  program: 'gh pr diff',
  write(sheet) {
    const file = (): Lines => fileDiff(sheet, gitLayout(sheet, 3, sheet.between(2, 5)))
    const others = sheet.some(fileChanges(sheet), sheet.between(0, 2))
    sheet.fill(
      file,
      others.map((other) => together(other, file())),
    )
    return { command: `gh pr diff ${sheet.between(100, 4000)}` }
  },
}

export const diffs: readonly Program[] = [gitDiff, gitShow, diffU, ghPrDiff]
