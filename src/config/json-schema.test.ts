import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { configJsonSchema } from './json-schema.ts'

const file = path.resolve(import.meta.dirname, '../../schema.json')

interface Described {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Described>>
  readonly anyOf?: readonly Described[]
  readonly items?: Described
}

function undescribed(schema: Described, at: string): readonly string[] {
  const below = Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => [
    ...(inner.description === undefined && inner.properties === undefined ? [`${at}.${key}`] : []),
    ...undescribed(inner, `${at}.${key}`),
  ])
  const inside = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])]
  return [...below, ...inside.flatMap((inner) => undescribed(inner, at))]
}

describe('schema.json', () => {
  it('is what the schema of the configuration gives; `node scripts/schema.mjs` writes it', () => {
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(configJsonSchema())),
    )
  })

  it('describes every key to the editor', () => {
    expect(undescribed(configJsonSchema(), '')).toEqual([])
  })
})
