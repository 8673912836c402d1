import type { PatchHunk } from '../../core/words/action.ts'
import type { FormatFault, FormatReport } from '../../core/words/reading.ts'

/** A formatter's report about files in the output of a command; null if there is none. */
export function formatReport(output: string): FormatReport | null {
  return biomeReport(output) ?? blackReport(output) ?? prettierReport(output)
}

const biomeSummary = /^Checked \d+ files? in [^\n]*?\. (?:No fixes applied|Fixed (\d+) files?)\.$/m
const biomeHeading =
  /^ ?(?:at )?(\S[^\n]*?)(?::\d+:\d+)? ((?:lint|assist|suppressions)\/\S+|format|parse|organizeImports|internalError\/\S+)(?: [^\n]*)? ?━{3,}$/gm
const biomeFound = /^Found (\d+) (error|warning|info)s?\.$/gm

/** Biome names the file of each fault and shows the formatted result as a diff. */
function biomeReport(output: string): FormatReport | null {
  const summary = output.includes('Checked ') ? biomeSummary.exec(output) : null
  if (summary === null) return null
  const headings = [...output.matchAll(biomeHeading)]
  const faults = new Map<
    string,
    { readonly path: string; readonly hunks: readonly PatchHunk[] | null }
  >()
  headings.forEach((heading, index) => {
    const [, path = '', category = ''] = heading
    const key = `${path} ${category} ${heading[0]}`
    // Some runners print the report twice.
    if (faults.has(key)) return
    const end = headings[index + 1]?.index ?? summary.index
    const section = output.slice(heading.index + heading[0].length, Math.max(end, heading.index))
    faults.set(key, { path, hunks: category === 'format' ? biomeHunks(section) : null })
  })
  const found = new Map<string, number>()
  for (const [, count, kind = ''] of output.matchAll(biomeFound)) {
    if (!found.has(kind)) found.set(kind, Number(count))
  }
  const counted = [...found.values()].reduce((sum, count) => sum + count, 0)
  return {
    rewritten: summary[1] === undefined ? [] : null,
    faults: perFile([...faults.values()]),
    complete: counted === faults.size,
  }
}

/** If a file has several faults, no single diff shows the final result. */
function perFile(faults: readonly FormatFault[]): readonly FormatFault[] {
  const files = new Map<string, FormatFault>()
  for (const fault of faults) {
    files.set(fault.path, files.has(fault.path) ? { path: fault.path, hunks: null } : fault)
  }
  return [...files.values()]
}

const biomeRow = /^ *(\d+)?(?: +(\d+))? +│(?: ([-+ ])(?: (.*))?)?$/
const biomeGap = /^ *·{3,} │ ?$/

/** The rows of a diff, or null if some are missing. */
function biomeHunks(section: string): readonly PatchHunk[] | null {
  const lines = section.split('\n')
  const start = lines.findIndex((line) => line.includes('would have printed the following content'))
  if (start === -1) return null
  const hunks: { heading: string; oldStart: number; lines: PatchHunk['lines'][number][] }[] = []
  let open = false
  for (const line of lines.slice(start + 1)) {
    if (line.trim() === '') {
      if (hunks.length > 0) return hunks
      continue
    }
    if (biomeGap.test(line)) {
      open = false
      continue
    }
    const row = biomeRow.exec(line)
    if (row === null || row[1] === undefined) return null
    const [, first, , mark = ' ', text = ''] = row
    const sign = mark === '-' || mark === '+' ? mark : ' '
    if (!open) {
      // A diff that starts with an added line has no position.
      if (sign === '+') return null
      hunks.push({ heading: '', oldStart: Number(first), lines: [] })
      open = true
    }
    hunks.at(-1)?.lines.push({ sign, text: sign === ' ' ? text : withPlainSpace(text) })
  }
  return null
}

/** Changed rows show a tab as an arrow and a space as a dot. */
function withPlainSpace(text: string): string {
  return text.replaceAll(/→ ?/g, '\t').replaceAll('·', ' ')
}

const blackLine = /^(?:would reformat|reformatted) (.+)$/gm
const blackSummary =
  /^(?:(\d+) files? (?:would be )?reformatted)?(?:, )?(?:(\d+) files? (?:would be )?left unchanged)?\.$/m

/** Black names the files that it rewrote or would rewrite. */
function blackReport(output: string): FormatReport | null {
  if (!output.includes('reformatted.') && !output.includes('unchanged.')) return null
  const summary = blackSummary.exec(output)
  if (summary === null || summary[0] === '.') return null
  const paths = [...output.matchAll(blackLine)].map(([, path = '']) => path)
  const named = paths.length === Number(summary[1] ?? 0)
  if (!summary[0].includes('would be')) {
    return { rewritten: named ? paths : null, faults: [], complete: true }
  }
  return { rewritten: [], faults: paths.map((path) => ({ path, hunks: null })), complete: named }
}

const prettierFile = /^(\S[^\n]*?) \d+ms(?: \((unchanged)\))?$/gm
const prettierFault = /^\[warn\] (\S[^\n]*\.\w+)$/gm
const prettierClean = /^All matched files use Prettier code style!$/m
const prettierDirty = /^\[warn\] Code style issues found in /m

/** Prettier lists every file, or only the faulty ones with `--check`. */
function prettierReport(output: string): FormatReport | null {
  if (output.includes(' Prettier ') && prettierClean.test(output)) {
    return { rewritten: [], faults: [], complete: true }
  }
  if (output.includes('[warn] ') && prettierDirty.test(output)) {
    const faults = [...output.matchAll(prettierFault)].map(([, path = '']) => ({
      path,
      hunks: null,
    }))
    return { rewritten: [], faults, complete: true }
  }
  if (!output.includes('ms (unchanged)')) return null
  const files = [...output.matchAll(prettierFile)]
  const rewritten = files.filter(([, , unchanged]) => unchanged === undefined)
  // Other tools also print times, but only Prettier marks unchanged files.
  if (rewritten.length === files.length) return null
  return { rewritten: rewritten.map(([, path = '']) => path), faults: [], complete: true }
}
