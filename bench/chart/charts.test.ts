import { describe, expect, it } from 'vitest'
import { poolScores } from '../score/pool.ts'
import { dollarsChart, growthChart, sessionChart } from './charts.ts'

const coordinates = (svg: string): readonly number[] =>
  [...svg.matchAll(/ (?:x|y|x1|x2|y1|y2|cx|cy)="([^"]*)"/g)].map(([, value]) => Number(value))

describe('charts', () => {
  it('place every policy inside the picture and name it', () => {
    const score = poolScores([])
    const scores = ['none', 'a < b', 'ours'].map((policy, index) => ({
      ...score,
      policy,
      E1: { ...score.E1, current: 1 - index * 0.3 },
    }))
    const svg = dollarsChart(scores, new Set(['ours']))
    expect(svg.match(/<circle/g)).toHaveLength(3)
    expect(svg).toContain('2  a &lt; b: 1.00, 70.0 %</text>')
    for (const value of coordinates(svg))
      expect(value).toSatisfy((at: number) => at >= 0 && at <= 904)
  })

  it('draw one line for each series', () => {
    const points = [
      { x: 1, y: 2_000 },
      { x: 30, y: 90_000 },
    ]
    const svg = sessionChart([
      { name: 'none', points },
      { name: 'ours', points },
    ])
    expect(svg.match(/<polyline/g)).toHaveLength(2)
    expect(svg.match(/fill="#c8553d" font-weight="bold">(.*)</)?.[1]).toBe('ours')
  })

  it('give dots that lie on each other one label with all their numbers', () => {
    const score = poolScores([])
    const svg = dollarsChart(
      ['a', 'b', 'c'].map((policy) => ({ ...score, policy })),
      new Set(['b']),
    )
    expect(svg).toContain('>1, 2, 3</text>')
  })

  it('use logarithmic axes for growth: ten times more is always as far', () => {
    const points = [1, 10, 100].map((x) => ({ x, y: x }))
    const circles = [...growthChart([{ name: 'ours', points }]).matchAll(/cx="([\d.]+)"/g)]
    const [first = 0, second = 0, third = 0] = circles.map(([, at]) => Number(at))
    expect(third - second).toBeCloseTo(second - first, 0)
    expect(second).toBeGreaterThan(first)
  })
})
