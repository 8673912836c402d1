import type { OutputKind } from './output.ts'
import { type LineTest, moreThan, type Output } from './output.ts'
import { worth } from './piece.ts'
import { composeLines, weighLines } from './plain.ts'

const stepBeginnings =
  /^\s*(?:Requirement already satisfied|Collecting |Downloading |Using cached |Installing collected|Building wheel|Preparing metadata|Getting requirements|Created wheel|Stored in|Successfully (?:built|uninstalled)|Attempting uninstall|Found existing|Uninstalling|Looking in|Defaulting to|npm (?:warn|WARN|notice|http|timing)|Progress: |Packages: |[+~-]{4,}|Resolving|Fetching|Unpacking |Setting up |Selecting |Get:\d|Hit:\d|Ign:\d|Reading |Building dependency|Compiling |Downloaded |Updating |Locking |Adding |Preparing to|go: (?:downloading|added|finding)|==> (?:Downloading|Pouring|Fetching)|#+ +\d+|\[\d+\/\d+\]|[│├└─ ]+\S+@)/
const progress = /\b\d+(?:\.\d+)?%.*(?:[kMG]i?B|\d\/\d)/
const bar = /[━█▓#=]{5}/
const outcome =
  /^\s*(?:added|removed|changed|up to date|found|audited|Done in|Successfully installed|Installed|Resolved|dependencies:|devDependencies:|\+ \S+|\d+ packages?|Finished|success|Already up|\d+ upgraded|Processing triggers)/

const steps: LineTest = {
  test: (line) =>
    stepBeginnings.test(line) || bar.test(line) || (line.includes('%') && progress.test(line)),
}

/** The output of a package manager: the outcome and warnings, without the single steps. */
export const packages: OutputKind = {
  kind: 'packages',
  bestFit: 0.8,
  fits(output) {
    if (isInstall(output)) return moreThan(0.2, output, steps) ? 0.8 : 0.55
    return moreThan(0.6, output, steps) ? 0.6 : 0
  },
  digest(output, limits) {
    return composeLines(outcomes(output), output, limits)
  },
}

const outcomes = (output: Output) =>
  weighLines(output, (line) => {
    if (output.reportsFailure(line)) return worth.must
    if (outcome.test(line)) return worth.informative
    if (/\b(?:deprecated|vulnerabilit|conflict|peer dep|not compatible)/i.test(line))
      return worth.plain
    return steps.test(line) ? worth.noise : null
  })

const managers =
  /^(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|conda|mamba|cargo|apt|apt-get|dnf|yum|apk|brew|gem|bundle|composer|go|mise|asdf|pixi)$/
const verbs = /^(?:i|ci|install|add|update|upgrade|sync|get|mod|fetch|remove|uninstall|pip|bundle)$/

function isInstall({ programs }: Output): boolean {
  return programs.some(([program = '', verb = '']) => managers.test(program) && verbs.test(verb))
}
