import { defaultPreset } from './field.ts'
import type { PolicyScore } from './pool.ts'
import { regimeNames } from './regimes.ts'

const start = '<!-- figures of npm run bench -->'
const end = '<!-- end of figures -->'

/** The README with new numbers; unchanged when it has no place for them or a policy was not scored. */
export function withFigures(readme: string, scores: readonly PolicyScore[]): string {
  const own = scores.find(({ policy }) => policy === `palimpsest ${defaultPreset}`)
  const other = scores.find(({ policy }) => policy === 'keep-last-10')
  const from = readme.indexOf(start)
  const to = readme.indexOf(end)
  if (own === undefined || other === undefined || from < 0 || to < from) return readme
  return `${readme.slice(0, from + start.length)}\n${figures(own, other)}\n${readme.slice(to)}`
}

function figures(own: PolicyScore, other: PolicyScore): string {
  const price = own.dollars['anthropic-5m']
  const recalled = own.dollarsWithRecalls['anthropic-5m']
  return [
    `Measured on ${own.sessions} recorded sessions, prompt caching included (\`npm run bench\`, all tables in`,
    '[docs/benchmark.md](docs/benchmark.md)): under the prices of Anthropic with a cache of five minutes the default costs',
    `${ratio(price.pooled)} of the input dollars without it, ${ratio(recalled.pooled)} with everything fetched back that was missed; ${percent(own.E1.current)} % of the texts that`,
    `agents edit stay visible and current; ${costMore(own)}. Keeping only the last ten results sends`,
    `${ratio(other.tokens.pooled)} of the tokens, costs ${ratio(other.dollars['anthropic-5m'].pooled)}, and leaves ${percent(other.E1.current)} % of those texts.`,
  ].join('\n')
}

function costMore({ dollars }: PolicyScore): string {
  const most = Math.max(...regimeNames.map((name) => dollars[name].costMore))
  return most === 0
    ? `**no session costs more under any of ${regimeNames.length} price models**`
    : `up to ${percent(most)} % of the sessions cost more, by price model`
}

const ratio = (value: number): string => value.toFixed(2)
const percent = (share: number): string => (share * 100).toFixed(1)
