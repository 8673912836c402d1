import { expect, test } from 'vitest'
import { freshCases, generatedCases, halvesOf } from './cases.ts'
import { scoreCase } from './score-case.ts'

const cases = generatedCases()

test('there are enough cases, each with a name of its own', () => {
  expect(cases.length).toBeGreaterThanOrEqual(300)
  expect(new Set(cases.map(({ program }) => program)).size).toBeGreaterThanOrEqual(40)
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
})

test('no fresh output is of a program of the two halves', () => {
  const programs = new Set(cases.map(({ program }) => program))
  const fresh = freshCases()
  expect(fresh.length).toBeGreaterThanOrEqual(60)
  expect(fresh.filter(({ program }) => programs.has(program))).toEqual([])
  for (const output of fresh) {
    expect(output.text.length, output.id).toBeGreaterThan(8_000)
    expect(scoreCase(output, output.text).lost, output.id).toEqual([])
    expect(scoreCase(output, '').lost, output.id).toEqual(output.decisive)
    expect(output.decisive.length, output.id).toBeGreaterThan(0)
  }
})

test('two builds are equal', () => {
  expect(generatedCases()).toEqual(cases)
})

test('every case has decisive lines, and each of them is a line with text', () => {
  for (const { id, text, decisive } of cases) {
    const lines = text.split('\n')
    expect(decisive.length, id).toBeGreaterThan(0)
    for (const { line } of decisive) expect(lines[line]?.trim(), `${id} line ${line}`).toBeTruthy()
  }
})

test('every text is large enough for a digest', () => {
  const small = cases.filter(({ text }) => text.length <= 8_000)
  expect(small.map(({ id, text }) => `${id}: ${text.length}`)).toEqual([])
})

test('the halves have the same size', () => {
  const halves = [...halvesOf(cases).values()]
  const train = halves.filter((half) => half === 'train').length
  expect(halves.length).toBe(cases.length)
  expect(Math.abs(halves.length - 2 * train)).toBeLessThanOrEqual(1)
})

test('the whole text keeps everything, an empty text nothing', () => {
  for (const output of cases) {
    expect(scoreCase(output, output.text).lost, output.id).toEqual([])
    expect(scoreCase(output, '').lost, output.id).toEqual(output.decisive)
  }
})

test('at least half of each diff is context', () => {
  const diffs = cases.filter(({ family }) => family === 'diffs')
  expect(diffs.length).toBeGreaterThan(0)
  for (const { id, text } of diffs) {
    const context = text.split('\n').filter((line) => line === '' || line.startsWith(' '))
    expect(context.join('\n').length / text.length, id).toBeGreaterThanOrEqual(0.5)
  }
})

test('a search marks exactly the matches with the name of the request', () => {
  for (const { id, text, request, decisive } of cases) {
    if (!/^(rg|grep|git-grep)-/.test(id)) continue
    const name = /\b[a-z]+[A-Z][a-z]+[A-Z][a-z]+By[A-Z][a-z]+\b/.exec(request ?? '')?.[0] ?? ''
    expect(name, id).not.toBe('')
    const found = [...text.split('\n').entries()].filter(([, line]) => line.includes(name))
    expect(
      decisive.map(({ line }) => line),
      id,
    ).toEqual(found.map(([line]) => line))
  }
})
