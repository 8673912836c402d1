import { describe, expect, it } from 'vitest'
import { poolScores } from '../score/pool.ts'
import { dollarsChart, growthChart, sessionChart } from './charts.ts'

const coordinates = (svg: string): readonly number[] =>
  [...svg.matchAll(/ (?:x|y|x1|x2|y1|y2|cx|cy)="([^"]*)"/g)].map(([, value]) => Number(value))

describe('charts', () => {
  it('place every policy inside the picture, and name five of them', () => {
    const score = poolScores([])
    const scores = ['none', 'a < b', 'ours', 'c', 'd', 'e', 'f'].map((policy, index) => ({
      ...score,
      policy,
      E1: { ...score.E1, current: 1 - index * 0.1 },
    }))
    const svg = dollarsChart(scores, new Set(['ours']))
    expect(svg.match(/<circle/g)).toHaveLength(7)
    expect(svg.match(/: 1\.00, [\d.]+ %<\/text>/g)).toHaveLength(5)
    expect(svg).toContain('a &lt; b: 1.00, 90.0 %</text>')
    expect(svg).toContain('the good corner')
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

  it('give labels places of their own, where dots lie on each other and where lines end together', () => {
    const score = poolScores([])
    const heights = (svg: string, label: RegExp): readonly number[] =>
      [...svg.matchAll(label)].map(([, y]) => Number(y)).toSorted((a, b) => a - b)
    const dots = dollarsChart(
      ['a', 'b', 'c'].map((policy) => ({ ...score, policy })),
      new Set(['b']),
    )
    const lines = sessionChart(['a', 'b', 'c'].map((name) => ({ name, points: [{ x: 9, y: 9 }] })))
    for (const found of [
      heights(dots, / y="([\d.]+)"[^>]*>[abc]: 1\.00/g),
      heights(lines, / y="([\d.]+)"[^>]*>[abc]</g),
    ]) {
      expect(found).toHaveLength(3)
      for (const [at, y] of found.entries())
        if (at > 0) expect(y - (found[at - 1] as number)).toBeGreaterThanOrEqual(11)
    }
  })

  it('use logarithmic axes for growth: ten times more is always as far', () => {
    const points = [1, 10, 100].map((x) => ({ x, y: x }))
    const circles = [...growthChart([{ name: 'ours', points }]).matchAll(/cx="([\d.]+)"/g)]
    const [first = 0, second = 0, third = 0] = circles.map(([, at]) => Number(at))
    expect(third - second).toBeCloseTo(second - first, 0)
    expect(second).toBeGreaterThan(first)
  })
})
