import type { DigestCase, Half } from './digest-case.ts'
import { families } from './families/index.ts'
import { freshPrograms } from './fresh/index.ts'
import { hashOf, type Program, variantsPerProgram, writeCase } from './sheet.ts'

/** This share of the programs is in the test half only. */
const testOnlyShare = 0.38

/** How many outputs are written of each fresh program: up to 48,000 characters. */
const freshVariants = 3

/** Every generated output, always the same. */
export function generatedCases(): readonly DigestCase[] {
  return casesOf(families, variantsPerProgram)
}

/** Outputs of programs that no family has. */
export function freshCases(): readonly DigestCase[] {
  return casesOf(freshPrograms, freshVariants)
}

/** The programs of the fresh set whose lost lines may be printed. The others are known by their totals only. */
export function isOpened({ program }: DigestCase): boolean {
  return hashOf(`${program} opened`) % 2 === 0
}

function casesOf(
  programs: Readonly<Record<string, readonly Program[]>>,
  variants: number,
): readonly DigestCase[] {
  return Object.entries(programs).flatMap(([family, own]) =>
    own.flatMap((program) =>
      Array.from({ length: variants }, (_, variant) => writeCase(family, program, variant)),
    ),
  )
}

/** Two halves of the same size. More than a third of the programs are in the test half only. */
export function halvesOf(cases: readonly DigestCase[]): ReadonlyMap<string, Half> {
  const programs = byHash([...new Set(cases.map(({ program }) => program))], (name) => name)
  const testOnly = new Set(programs.slice(0, Math.ceil(programs.length * testOnlyShare)))
  const free = byHash(
    cases.filter(({ program }) => !testOnly.has(program)),
    ({ id }) => id,
  )
  const train = new Set(free.slice(0, Math.floor(cases.length / 2)).map(({ id }) => id))
  return new Map(cases.map(({ id }) => [id, train.has(id) ? 'train' : 'test']))
}

/** Outputs of recorded sessions have no program of their own, so they are halved by their id. */
export function recordedHalf(id: string): Half {
  return hashOf(id) % 2 === 0 ? 'train' : 'test'
}

function byHash<Value>(values: readonly Value[], key: (value: Value) => string): readonly Value[] {
  return values.toSorted((one, other) => hashOf(key(one)) - hashOf(key(other)))
}
