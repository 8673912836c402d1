import type { OutputKind } from './output.ts'
import { type LineTest, moreThan, type Output, runs } from './output.ts'
import { type Worth, worth } from './piece.ts'
import { composeLines, weighLines } from './plain.ts'
import { scriptOf } from './programs.ts'
import { mergePlaces } from './same-message.ts'

const checkers =
  /^(?:tsc|vue-tsc|gcc|g\+\+|cc|clang|clang\+\+|rustc|javac|kotlinc|swiftc|ghc|make|cmake|ninja|eslint|biome|oxlint|stylelint|prettier|ruff|flake8|pylint|pyflakes|mypy|pyright|black|shellcheck|rubocop|golangci-lint|staticcheck|clippy|knip|webpack|vite|rollup|esbuild|tsup|turbo|nx|next)$/
const checkScripts =
  /^(?:lint|check|typecheck|type-check|types|tsc|build|compile|format|fmt|clippy|vet)(?:[:_-]|$)/
const places =
  /(?:^|\s|>)(?:\.{0,2}\/)?[\w@.+~/-]+\.\w{1,10}(?::\d+(?::\d+)?|\(\d+,\d+\)|:\d+:)|^\s*\d+:\d+\s+(?:error|warning|info)/
/** Most lines have no place, so a cheap test comes before the pattern. */
const hasPlace: LineTest = {
  test: (line) => (line.includes(':') || line.includes('(')) && places.test(line),
}
/** A code frame with the place marked, as rustc, biome, tsc and eslint print it. */
const codeFrame = /^(?:[>│|✖×+\s-]*(?:\d+\s*)?[│|]|\s*(?:~+|\^+|[━─=]{4,}))/
const chatter =
  /^\s*(?:[✓✔√] |> |Checked \d|\$ |No fixes|Compiling |Checking |Finished |transforming|rendering|\[\d+\/\d+\])/

/** The output of compilers, linters and type checkers: every place and message, and code frames while there is room. */
export const diagnostics: OutputKind = {
  kind: 'diagnostics',
  bestFit: 0.72,
  fits(output) {
    const { action } = output.source
    if (action !== null && action.kind !== 'shell' && action.kind !== 'other') return 0
    if (isCheck(output)) return moreThan(0.02, output, hasPlace) ? 0.72 : 0.6
    const isAlike =
      moreThan(0.25, output, hasPlace) && moreThan(0.2, output, /\b(?:error|warning)\b/i)
    return isAlike ? 0.62 : 0
  },
  digest(output, limits) {
    return composeLines(messages(output), output, limits)
  },
}

const messages = (output: Output) => mergePlaces(weighLines(output, weigh(output)))

function isCheck(output: Output): boolean {
  if (runs(output, checkers)) return true
  return output.programs.some((words) => {
    const [program = '', verb = ''] = words
    if (checkScripts.test(scriptOf(words))) return true
    return (
      /^(?:go|cargo|deno|swift|dotnet|mvn|gradle)$/.test(program) &&
      /^(?:build|check|vet|clippy|lint|fmt|compile|run)$/.test(verb)
    )
  })
}

function weigh(output: Output): (line: string, at: number) => Worth | null {
  let frameLines = 0
  return (line, at) => {
    const isCodeFrame = codeFrame.test(line)
    if (!isCodeFrame && hasPlace.test(line)) {
      frameLines = 0
      return /\b(?:error|warning|lint\/|TS\d)/.test(line) || output.reportsFailure(line)
        ? worth.must
        : worth.informative
    }
    if (isCodeFrame) return frameLines++ < 6 ? worth.naming : worth.little
    return at >= 3 && chatter.test(line) ? worth.little : null
  }
}
