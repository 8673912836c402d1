import { standing } from '../../src/memory/state/as-of.ts'
import { checkState } from '../../src/memory/state/check.ts'
import { importItems } from '../../src/memory/transfer/json-lines.ts'
import { freshMemory, type Measure, readData } from './measure.ts'

interface Pep {
  readonly pep: number
  readonly title: string
  readonly created: string
  readonly replaces: readonly number[]
  readonly superseded_by: readonly number[]
}

/** Python's enhancement proposals: is every supersession, recorded on one side or on both, known from both afterwards? */
export function measureDecisions(): readonly Measure[] {
  const data = readData('peps/peps.json')
  if (data === undefined) return []
  const peps = JSON.parse(data) as readonly Pep[]
  const numbers = new Set(peps.map(({ pep }) => pep))
  const links = new Set<string>()
  for (const { pep, replaces, superseded_by: newer } of peps) {
    for (const other of replaces) links.add(`${other}>${pep}`)
    for (const other of newer) links.add(`${pep}>${other}`)
  }
  const known = [...links].filter((link) =>
    link.split('>').every((pep) => numbers.has(Number(pep))),
  )
  const memory = freshMemory()
  const { refused } = importItems(
    memory,
    peps.map(({ pep, title, created }) => ({
      item: {
        id: `pep_${pep}`,
        kind: 'decision' as const,
        text: `PEP ${pep}: ${title}`,
        validFrom: Date.parse(created) || 0,
      },
      supersededBy: known.flatMap((link) => {
        const [old, newer] = link.split('>')
        return Number(old) === pep ? [`pep_${newer}`] : []
      }),
      retracted: false,
    })),
  )
  const { items } = memory.state
  const both = known.filter((link) => {
    const [old, newer] = link.split('>').map((pep) => `pep_${pep}`)
    const forward = standing(items.get(old!)?.replacedBy ?? []).some((found) => found.new === newer)
    const back = standing(items.get(newer!)?.replaces ?? []).some((found) => found.old === old)
    return forward && back
  })
  const violations = checkState(memory.state, memory.now()).length
  return [
    {
      name: 'PEPs: supersession links known in both directions',
      value: `${both.length} of ${links.size}${refused.length + violations > 0 ? `, ${refused.length} refused, ${violations} violations` : ''}`,
      goal: '47 of 47',
      reached: both.length === links.size && both.length >= 47 && violations === 0,
    },
  ]
}
