import type { PolicyScore } from './pool.ts'

const start = '<!-- figures of npm run bench -->'
const others = 'Keeping only the last ten results'
const end = '<!-- end of figures -->'

/** The README with new numbers; unchanged when it has no place for them or a policy was not scored. */
export function withFigures(readme: string, own: string, scores: readonly PolicyScore[]): string {
  const other = scores.find(({ policy }) => policy === 'keep-last-10')
  const from = readme.indexOf(start)
  const to = readme.indexOf(end)
  if (other === undefined || from < 0 || to < from) return readme
  return `${readme.slice(0, from + start.length)}\n${own} ${figures(other)}\n${readme.slice(to)}`
}

/** What the README says of our own numbers; null when it says nothing. */
export function ownFigures(readme: string): string | null {
  const from = readme.indexOf(start)
  const to = readme.indexOf(others, from)
  return from < 0 || to < from ? null : readme.slice(from + start.length, to).trim()
}

/** The README with new numbers of our own; what it says of other policies stays. */
export function withOwnFigures(readme: string, own: string): string {
  const from = readme.indexOf(start)
  const to = readme.indexOf(others, from)
  if (from < 0 || to < from || to > readme.indexOf(end)) return readme
  return `${readme.slice(0, from + start.length)}\n${own} ${readme.slice(to)}`
}

function figures(other: PolicyScore): string {
  return [
    others,
    `sends ${ratio(other.tokens.pooled)} of the tokens, costs ${ratio(other.dollars['anthropic-5m'].pooled)}, and leaves ${percent(other.E1.current)} % of those texts.`,
  ].join('\n')
}

const ratio = (value: number): string => value.toFixed(2)
const percent = (share: number): string => (share * 100).toFixed(1)
