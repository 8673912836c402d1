import { findCorrections } from '../../src/memory/understand/corrections.ts'
import { type Measure, percent, readData } from './measure.ts'

interface Pair {
  readonly original: string
  readonly disfluent: string
}

/** Only the words: case and punctuation are ignored. */
function plain(text: string): string {
  return (
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ')
}

/** Disfl-QA, dev part: self-corrected questions found, their fluent versions flagged, and exact repairs. */
export function measureCorrections(): readonly Measure[] {
  const data = readData('disflqa/dev.json')
  if (data === undefined) return []
  const pairs = Object.values(JSON.parse(data) as Record<string, Pair>)
  let found = 0
  let alarms = 0
  let exact = 0
  for (const { original, disfluent } of pairs) {
    const repaired = findCorrections(disfluent).at(-1)
    if (repaired) found++
    if (repaired && plain(repaired.text) === plain(original)) exact++
    if (findCorrections(original).length > 0) alarms++
  }
  const total = pairs.length
  return [
    {
      name: 'Disfl-QA dev: corrections found / false alarms',
      value: `${percent(found, total)} / ${percent(alarms, total)}`,
      goal: '≥ 95 % / ≤ 1 %',
      reached: found / total >= 0.95 && alarms / total <= 0.01,
    },
    {
      name: 'Disfl-QA dev: exact repair',
      value: percent(exact, total),
      goal: '≥ 50 %',
      reached: exact / total >= 0.5,
    },
  ]
}
