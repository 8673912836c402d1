import { failureLines } from '../failure-lines.ts'

/** Why a line of an output must not be left out. */
export type ReportKind = 'failure' | 'alarm' | 'warning' | 'change' | 'summary'

export interface Report {
  readonly kind: ReportKind
  /** The word that makes it a report, in lower case, when it counts only if few lines have the word; else empty. */
  readonly word: string
}

/** How agents, shells and programs report the end of a command. */
const exitLine =
  /^<returncode>|\b(?:exit(?:ed|s)?|terminated|returned|completed)\b.{0,40}\b(?:code|status|signal|non-zero)\b|\bexit(?:ed)?(?: with)?:? -?\d+\b|\brc[=:] ?-?\d+|\bSIG(?:KILL|TERM|SEGV|ABRT|BUS|ILL|FPE)\b|^Command (?:timed out|aborted|failed)|^Process running with session ID |\btimed out after\b|\b(?:Killed|Terminated)\b/i

/** In capitals, these words only report failures. */
const failureInCapitals = /\b(?:FAIL(?:ED|URE)?|ERROR|FATAL|CRITICAL|PANIC|EMERG|SEVERE|ABORTED)\b/

/** Words of trouble in any output, such as a state in a table. They matter where they are rare. */
const trouble =
  /\b(?:fail(?:ed|ure|ures|s|ing)?|errors?|errored|exception|fatal|panic(?:ked)?|denied|refused|reject(?:ed|s)?|declined|time[ds]?[ -]?out|unreachable|unhealthy|crash(?:ed|es|ing)?|oom|killed|evicted|abort(?:ed|ing)?|invalid|missing|not found|cannot|can't|could not|unable|corrupt\w*|violat\w+|deadlock|expired|forbidden|unauthori[sz]ed|conflict\w*|lost|degraded|broken|not[ -]?ready|back ?off|rollback|rolled back|severe|critical|alert|overdue|unavailable|exited|stopped|terminat(?:ed|ing)|terminating|pending|suspended|disabled|blocked|skipped|retry(?:ing)?|throttl\w+|leak\w*|segfault|undefined|unexpected|mismatch\w*|stale|locked|offline|vulnerab\w+|CVE-\d+|null|NaN|None|N\/A|unknown|revert\w*|breaking|abandoned|unsupported|obsolete|unused|unsafe|insecure|duplicate\w*|circular|cyclic|ignored|omitted|deferred|bounced|dropped|inactive|dead|down|stuck|orphan\w*|incomplete|inconsistent|diverged|out[ -]?of[ -]?sync|todo|fixme|deleted|deleting|removed|removing|uninstall\w*|downgrad\w*)\b|\b100%/i

const zeroTrouble =
  /\b(?:0|no|without) (?:fail\w*|errors?|warnings?|problems?|vulnerabilities|conflicts?|issues?)\b|\b(?:failed|errors?|failures?|unreachable|skipped|rescued|ignored)[=:] ?0\b/gi

const warning = /\bwarn(?:ing|ings)?\b|\bdeprecat/i

const change =
  /\b(?:will|must|would|has|have|was|were|being|is) (?:be |been )?(?:newly )?(?:created|destroyed|deleted|removed|replaced|updated|changed|modified|added|renamed|upgraded|downgraded|imported|moved|recreated|forced)\b|^\s*(?:-\/\+|\+\/-|~) |# forces replacement|^\s*(?:modified|deleted|new file|renamed|both modified|changed|added|removed):|\S -> \S|\(was \S+\)/i

/** A line that was added or removed, in a text that is not a patch. Lists have many such lines. */
const signed = /^([-+])(?![-+>])\s*\S/

const summary =
  /^\s*(?:=+ .* =+|(?:sub)?totals?\b.*\d.*|summary\b.*|(?:tests?|test suites|test files|plan|results?|overall|finished|completed|done|ran|found|coverage|all files|snapshots|elapsed|duration|time|build|statements|grand total|average|mean|median|max(?:imum)?|min(?:imum)?)\b[ :=].*\d.*)$|\b\d[\d,.]*%? (?:passed|passing|failed|failing|failures|skipped|pending|errors?|warnings?|changed|unreachable|rows? (?:in set|affected)|files? changed|vulnerabilities|problems?|to (?:add|change|destroy|import))\b|^\(\d[\d,]* rows?\)$|^# \w+ \d[\d.]*$|\bBUILD SUCCESS|^\s*\d+ (?:packages?|examples?|assertions?|scenarios?|specs?) /i

/** Returns a function that classifies the lines of an output; null for a line that reports nothing. */
export function createReportReader(text: string): (line: string) => Report | null {
  const limits = {
    lines: Number.POSITIVE_INFINITY,
    characters: Number.POSITIVE_INFINITY,
    line: 1000,
  }
  const failures = new Set(failureLines(text, limits).map(keyOf))
  return (whole) => {
    const begin = whole.slice(0, 1000)
    const line = spelledOut(begin)
    if (failures.has(keyOf(begin)) || (line.length < 300 && exitLine.test(line)))
      return { kind: 'failure', word: '' }
    if (trouble.test(line) || failureInCapitals.test(line)) {
      const rest = line.replaceAll(zeroTrouble, '')
      if (failureInCapitals.test(rest)) return { kind: 'failure', word: '' }
      const word = trouble.exec(rest)?.[0]
      if (word !== undefined) return { kind: 'alarm', word: word.toLowerCase() }
    }
    if (warning.test(line)) return { kind: 'warning', word: '' }
    if (line.length < 300 && summary.test(line)) return { kind: 'summary', word: '' }
    if (line.length < 400 && change.test(line)) return { kind: 'change', word: '' }
    const sign = signed.exec(line)?.[1]
    return sign === undefined ? null : { kind: 'change', word: sign }
  }
}

/** Splits names such as CREATE_FAILED, CrashLoopBackOff and not-ready into words. */
function spelledOut(line: string): string {
  const spelled = line.includes('_') ? line.replaceAll(/(\w)_(?=\w)/g, '$1 ') : line
  return /[a-z][A-Z]/.test(line) ? spelled.replaceAll(/([a-z])([A-Z])/g, '$1 $2') : spelled
}

/** The part of a line by which failures are compared. */
function keyOf(line: string): string {
  return line.trim().slice(0, 300).trimEnd()
}
