import { indexShare } from './name-index.ts'
import type { OutputKind } from './output.ts'
import { type LineTest, moreThan, type Output, runs } from './output.ts'
import { type Worth, worth } from './piece.ts'
import { composeLines, seenPart, weighLines } from './plain.ts'
import { scriptOf } from './programs.ts'

const runners =
  /^(?:jest|vitest|mocha|ava|tap|jasmine|karma|cypress|playwright|pytest|py\.test|unittest|nose2?|tox|nox|rspec|phpunit|ctest|runtests\.py|gotestsum|nextest)$/
const testScripts =
  /^(?:test|tests|t|e2e|spec|unit|integration|coverage|vitest|jest|pytest)(?:[:_-]|$)/
const buildTools = /^(?:go|cargo|mvn|mvnw|gradle|gradlew|dotnet|swift|mix|deno|bun|node)$/

/** How runners report that a test passed. */
const passedBeginnings =
  /^\s*(?:[✓✔√]\s|ok \d|PASS\b|--- PASS|=== (?:RUN|PAUSE|CONT|NAME)|ok\s+\S+\s+(?:\d|\(cached\))|\(pass\) |\?\s+\S+\s+\[no test files\]|[.sxX]{20,}\s*(?:\[\s*\d+%\])?$|\S+\[\d+\] [.wsfxE]+\s*(?:\[OK\])?$)/
const passed: LineTest = {
  test: (line) =>
    passedBeginnings.test(line) ||
    (line.includes('PASSED') && /\bPASSED\b/.test(line)) ||
    (line.includes('... ') && /\.\.\. (?:ok|skipped.*)$/.test(line)) ||
    (line.endsWith('%]') && / [.sx]+\s+\[\s*\d+%\]$/.test(line)),
}
const summary =
  /^\s*(?:Tests?|Test Files|Test Suites|Snapshots|Time|Duration|Ran \d+|Start at|Ran all|test result:|tests finished|=+ .* =+$|-+ .* -+$|\d+ (?:passing|failing|pending|passed|failed|pass|fail|skipped|tests?)\b|# (?:tests|pass|fail|suites|skipped)|OK\b|FAILED\b|FAIL\b|ok$|DONE\b)/
/** The counts of a whole run. */
const total =
  /^\s*(?:(?:Tests?|Test Files|Test Suites|Tests run):?\s+.*\d|=+ .*\d+ (?:passed|failed|error).* =+$|Ran \d+ tests?|test result:|\d+ (?:passing|failing|passed|failed|pass|fail)\b|# (?:tests|pass|fail) \d|OK(?: \(|$)|FAILED \()/
const detail =
  /^\s*(?:[-+] (?:Expected|Received|expected|actual)|Expected|Received|expected|actual|[+-] |>\s*\d+ ?[|│]|\d+ ?[|│]|\^|E {2,}|> |at |File "|❯ |AssertionError|Error:|got:?|want:?|left:|right:|\S+\.\w+:\d+)/
const unwanted =
  /node_modules|site-packages|node:internal|internal\/process|\(native\)|dist\/chunks/

const failedTest =
  /^\s*(?:--- FAIL|FAIL\b|FAILED\b|not ok\b|[✗✘✖✕×] |● .* ›|.*\b[1-9]\d* (?:failed|failing)\b|test .* FAILED$|E {3}\S|Traceback )/
/** The digest of a failed run may be this many times longer, to show the reason. */
const failedFactor = 2.5

/** A test run: what failed, why, and the counts. */
export const tests: OutputKind = {
  kind: 'tests',
  bestFit: 0.75,
  fits(output) {
    if (output.source.action !== null && output.source.action.kind !== 'shell') return 0
    if (isTestRun(output)) return 0.75
    if (!moreThan(0.3, output, passed)) return 0
    return moreThan(0, output, summary) || moreThan(0.6, output, passed) ? 0.65 : 0
  },
  digest(output, limits) {
    const { pieces, hasFailed } = readRun(output)
    const targetChars = limits.targetChars * (hasFailed ? failedFactor : 1)
    return composeLines(
      pieces,
      output,
      { ...limits, targetChars },
      {
        indexChars: Math.floor(limits.targetChars * indexShare),
      },
    )
  },
}

const readRun = (output: Output) => ({
  pieces: weighLines(output, weigh(output)),
  hasFailed: output.lines.some((line) => failedTest.test(seenPart(line))),
})

function isTestRun(output: Output): boolean {
  if (runs(output, runners)) return true
  return output.programs.some((words) => {
    const [program = '', ...rest] = words
    const verb = rest.find((word) => !word.startsWith('-') || word === '--test') ?? ''
    if (testScripts.test(scriptOf(words))) return true
    if (buildTools.test(program)) return /^-{0,2}test$|^nextest$|^check$|^verify$/.test(verb)
    return program === 'test' && verb !== '' && !verb.startsWith('-')
  })
}

/** Sections of pytest's output. */
const section = /^=+ (?:.* )?(FAILURES|ERRORS|warnings summary|short test summary info)?.*=+$/
const failedName = /^_{3,} \S.* _{3,}$/

/** Lines after a failure explain it, until the next test. */
function weigh(output: Output): (line: string, at: number) => Worth | null {
  let explains = 0
  let inside = ''
  return (line) => {
    if (line.startsWith('===')) inside = section.exec(line)?.[1] ?? ''
    if (passed.test(line)) {
      explains = 0
      return worth.noise
    }
    if (output.reportsFailure(line)) {
      explains = 14
      return null
    }
    if (total.test(line)) return worth.must
    if (summary.test(line) || failedName.test(line)) return worth.informative
    if (line.trim().length < 3 || inside === 'warnings summary') return worth.noise
    if (explains > 0) {
      explains--
      if (unwanted.test(line)) return worth.noise
      return detail.test(line) ? worth.informative : worth.naming
    }
    if (detail.test(line) && !unwanted.test(line)) return worth.plain
    return inside === 'FAILURES' || inside === 'ERRORS' ? worth.frame : null
  }
}
