import { readFileSync } from 'node:fs'
import { it } from 'vitest'

interface Statement {
  readonly id: string
  readonly statement: string
}

const { statements } = JSON.parse(
  readFileSync(new URL('./statements.json', import.meta.url), 'utf8'),
) as { readonly statements: readonly Statement[] }

/** A test of one statement, named after it. `node scripts/seeds.mjs` lists them in docs/seeds.md. */
export function row(id: string, test: () => unknown): void {
  const found = statements.find((each) => each.id === id)
  if (found === undefined) throw new Error(`${id} is not in statements.json`)
  it(`${id} ${found.statement}`, async () => {
    await test()
  })
}
