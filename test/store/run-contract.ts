import { contractCases } from './cases.ts'
import { inFile, runCase } from './places.ts'

/** Runs the whole contract on this runtime's own SQLite; one line of JSON for each case. */
for (const each of contractCases) {
  let fault: string | null = null
  try {
    await runCase(inFile, each)
  } catch (error) {
    fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  console.log(JSON.stringify({ name: each.name, fault }))
}
