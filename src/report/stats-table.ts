import { shortTokens } from './short-tokens.ts'
import {
  addTallies,
  pruningTallies,
  type StrategyStats,
  type StrategyTally,
  supersedeKinds,
  supersedeSigns,
} from './stats.ts'

/** The column in which the counts end. */
const countColumn = 26
const rule = '─'.repeat(60)

/**
 * What each strategy saved, with a star for the best one. Strategies without effect are left out, and so is the number
 * applied when all were.
 *
 * ```
 * Strategy Effectiveness:
 * ────────────────────────────────────────────────────────────
 *   Auto-Supersede        12 prunes, ~8.5k saved ⭐
 *     🔄 hash              5 prunes, ~4.2k
 * ```
 */
export function effectivenessTable(stats: StrategyStats): readonly string[] {
  const rows = effectivenessRows(stats)
  return ['Strategy Effectiveness:', rule, ...(rows.length === 0 ? ['  no prunes yet'] : rows)]
}

/** The rows of the table. */
export function effectivenessRows(stats: StrategyStats): readonly string[] {
  const { autoSupersede } = stats
  const kinds = supersedeKinds
    .map((kind) => ({ label: `${supersedeSigns[kind]} ${kind}`, tally: autoSupersede[kind] }))
    .filter(({ tally }) => tally.count > 0)
  const pruning = pruningTallies(stats)
    .map(([label, tally]) => ({ label, tally, kinds: [] }))
    .sort((a, b) => b.tally.tokens - a.tally.tokens)
  const whole = addTallies(kinds.map(({ tally }) => tally))
  const strategies = [{ label: 'Auto-Supersede', tally: whole, kinds }, ...pruning].filter(
    ({ tally }) => tally.count > 0,
  )
  const best = Math.max(0, ...strategies.map(({ tally }) => tally.tokens))
  return strategies.flatMap(({ label, tally, kinds: parts }) => [
    `${row(`  ${label}`, tally)} saved${tally.tokens === best && best > 0 ? ' ⭐' : ''}${applied(tally)}`,
    ...parts.map((part) => `${row(`    ${part.label}`, part.tally)}${applied(part.tally)}`),
  ])
}

function row(label: string, { count, tokens }: StrategyTally): string {
  const room = Math.max(String(count).length + 1, countColumn - displayWidth(label))
  return `${label}${String(count).padStart(room)} prunes, ~${shortTokens(tokens).toLowerCase()}`
}

function applied({ count, applied: shown }: StrategyTally): string {
  return shown === count ? '' : ` (${shown} applied)`
}

/** The signs of the kinds are two columns wide, everything else in a label one. */
function displayWidth(label: string): number {
  return [...label].reduce((sum, character) => sum + (isWide(character) ? 2 : 1), 0)
}

function isWide(character: string): boolean {
  return /\p{Emoji_Presentation}/u.test(character)
}
