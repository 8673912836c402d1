import { cutEnd, oneLine } from './cut.ts'

export interface FailureLineLimits {
  /** The most lines. */
  readonly lines: number
  /** The most characters in total. */
  readonly characters: number
  /** The most characters of one line. */
  readonly line: number
}

const usualLimits: FailureLineLimits = { lines: 40, characters: 2000, line: 240 }

/**
 * The lines of a command's output in which test runners, compilers and linters report failures, in order, each once and
 * without terminal colours. When they exceed the limits, the first and the last ones.
 */
export function failureLines(
  output: string,
  limits: FailureLineLimits = usualLimits,
): readonly string[] {
  const hasControls = controls.test(output)
  const found = new Set<string>()
  // Go prints logs and failures of a test in the same format.
  const goFailed = output.includes('--- FAIL')
  for (const raw of output.split(/\r?\n|\r/)) {
    // A longer line is not a report; it may be a bundle.
    const begin = raw.length > 1000 ? raw.slice(0, 1000) : raw
    const line = hasControls ? withoutColours(begin) : begin
    if (reportsFailure(line) || (goFailed && goTestLine.test(line)))
      found.add(cutEnd(line.trimEnd(), limits.line))
  }
  return withinLimits([...found], limits)
}

/** A cheap test that every report passes, so that most lines need no other. */
const suspicious =
  /fail|error|exception|panic|traceback|assert|not ok|undefined|fatal|unhandled|uncaught|denied|not found|no such|segmentation|core dumped|killed|warning|problem|expected|rspec|ERR!|[✗✘✖×✕❌●❯]|^E |^[^\S\r\n]+-->|\.(?:go|py|sh|rb|php):\d|^[^\S\r\n]*\d+:\d+ |^[^\S\r\n]*\d+\) | SC\d{4}|^In .* line \d+:$|:\d+:\d+ [a-z]|caused by/i

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours, and bells and backspaces of progress bars
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

const goTestLine = /^\s+\w+_test\.go:\d+: /

/** Reports of success, even if they contain the name of an error. */
const success =
  /^\s*(?:[✓✔√]|ok \d|PASS\b|--- PASS|=== (?:RUN|PAUSE|CONT))|\.\.\. ok$|\bPASSED\b|^\s*(?:0|[Nn]o) errors?\b/

/** A slow pattern, and a word that every match contains. */
function having(word: string, pattern: RegExp): { test(line: string): boolean } {
  return { test: (line) => line.includes(word) && pattern.test(line) }
}

const reports: readonly { test(line: string): boolean }[] = [
  // vitest, jest, mocha, node:test and TAP, ava, playwright
  /^\s*(?:[✗✘✖✕❌●]|× |FAIL\b|not ok\b)/,
  /^\s*❯ .+:\d+:\d+$/,
  having('Error', /\bAssert(?:ion)?Error\b|^\s*Error: expect\(/),
  // Mocha, PHPUnit and ExUnit number failed tests.
  /^\s*\d+\) (?:\S+(?:::|.*:$)|test )/,
  // pytest and unittest
  /^(?:FAILED|ERROR|FAIL)[ :]\s*\S/,
  /\b(?:FAILED|ERROR)\s+\[\s*\d+%\]/,
  /^E {2,}\S/,
  /^\S+\.py:\d+: \w*(?:Error|Exception|Failed)\b/,
  // go test
  /^\s*--- FAIL|^FAIL\s/,
  // cargo
  /\.\.\. FAILED$|^test result: FAILED|^thread '.*' .*panicked at|^panic: |^\s+--> \S+:\d+:\d+/,
  // JUnit, Maven, Gradle
  /^\[ERROR\]|^\S.* > .* FAILED$|^BUILD FAIL|^FAILURE: |^e: /,
  // RSpec, PHPUnit
  /^rspec \.?\S+:\d+|^\s*Failure\/Error:|^Failed asserting|^FAILURES!|^There (?:was|were) \d+ (?:failure|error)/,
  // Counts above zero
  /(?:^[\s=✖×]*|\bFound |\bTests:? +|\bTest Files +|\bTest Suites: +|[|,;:(]\s*)[1-9]\d* (?:failed|failing|failures?|errors?|problems?)\b/,
  /\b(?:failures?|errors?|failed)[=:] ?[1-9]/i,
  // tsc, gcc, clang, rustc, javac, go, swiftc, linkers, make
  /^\s{0,2}(?:[\w.+/@-]+: )?(?:fatal )?error(?:\[?[A-Z]{0,4}\d*\]?)?: /i,
  having(
    'rror',
    /\S+[:(]\d+(?:[:,]\d+)?\)?:? (?:- )?(?:fatal )?error\b|\b[A-Z]\w*Error: |\bError: /,
  ),
  /\berror TS\d+\b|^\S+\.go:\d+:\d+: |undefined reference to|undefined symbol|^ld: |^make(?:\[\d+\])?: \*\*\*/,
  // eslint, biome, ruff, flake8, mypy, shellcheck, rubocop
  /^\s*\d+:\d+\s+error\b/,
  /^\S+:\d+:\d+ (?:lint|parse|format|assist|suppressions|syntax)\b/,
  /^\S+:\d+:\d+: (?:[A-Z]{1,4}\d{2,5}|[EFCW]:)/,
  /^[A-Z]{1,4}\d{3,4} \[?\S/,
  /^In \S+ line \d+:$|\bSC\d{4}\b/,
  // Heads of stack traces
  /^\s*Traceback \(most recent call last\)/,
  /^\s*(?:Uncaught |Unhandled |Caused by: |Exception in thread )?(?:[A-Za-z_$][\w$]*[.:\\]{1,2})*[A-Z]\w*(?:Error|Exception)(?: \[\w+\])?(?::|$)/,
  /^\s*(?:Uncaught|Unhandled|Caused by:|Exception in thread|FATAL)\b/,
  // npm, git, shells and programs that give up
  /^npm (?:ERR!|error)|^(?:fatal|error|failed)\b:?/i,
  /: (?:command not found|No such file or directory|Permission denied)\b|^Segmentation fault|\(core dumped\)/,
]

function reportsFailure(line: string): boolean {
  if (!suspicious.test(line) || success.test(line)) return false
  return reports.some((report) => report.test(line))
}

function withoutColours(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with the escape character
  const plain = line.replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007]*(?:\u0007|$)/g, '')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: bells and backspaces of progress bars
  return /[\u0000-\u0008\u000b-\u001f\u007f]/.test(plain) ? oneLine(plain) : plain
}

/** Keeps both ends, because the first reports show the cause and the last ones the summary. */
function withinLimits(lines: readonly string[], limits: FailureLineLimits): readonly string[] {
  if (lines.length <= limits.lines && lengthOf(lines) <= limits.characters) return lines
  const first: string[] = []
  const last: string[] = []
  let characters = lengthOf([countOfMore(lines.length)])
  while (first.length + last.length < limits.lines - 1) {
    const fromFront = first.length === last.length
    const line = (fromFront ? lines[first.length] : lines[lines.length - 1 - last.length]) as string
    characters += line.length + 1
    if (characters > limits.characters) break
    if (fromFront) first.push(line)
    else last.unshift(line)
  }
  return [...first, countOfMore(lines.length - first.length - last.length), ...last]
}

function countOfMore(count: number): string {
  return `(${count} more)`
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((total, line) => total + line.length + 1, 0)
}
