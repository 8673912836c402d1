import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { startModel } from '../model/server.ts'
import type { Plan, StepResult } from './plan.ts'
import { runStep } from './run-step.ts'

/** Serves the model and runs the plan's steps against it. The results go to standard output as one line of JSON. */
async function drive(plan: Plan): Promise<void> {
  const { scenario, log, seed } = plan
  const model = await startModel({ scenario, log, seed })
  const filled = (text: string): string => text.replaceAll('{url}', model.url)
  for (const file of plan.files) {
    mkdirSync(dirname(file.path), { recursive: true })
    writeFileSync(file.path, filled(file.text))
  }
  const environment = Object.fromEntries(
    Object.entries(plan.environment).map(([name, value]) => [name, filled(value)]),
  )
  const results: StepResult[] = []
  for (const step of plan.steps) {
    const result = await runStep({ ...step, args: step.args.map(filled) }, environment, plan)
    results.push(result)
    if (result.code !== 0) break
  }
  await model.stop()
  process.stdout.write(`${JSON.stringify(results)}\n`)
}

const parsed: unknown = JSON.parse(readFileSync(process.argv[2]!, 'utf8'))
await drive(parsed as Plan)
process.exit(0)
