import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { startModel } from '../../model/server.ts'
import type { SetupPlan, SetupResult, SetupStep } from './setup-plan.ts'

/** Serves the model and runs the steps. The results go to standard output as one line of JSON. */
async function drive(plan: SetupPlan): Promise<void> {
  const model = await startModel({ scenario: plan.scenario, log: plan.log, seed: 5 })
  const filled = (text: string): string => text.replaceAll('{url}', model.url)
  for (const file of plan.files) {
    mkdirSync(dirname(file.path), { recursive: true })
    writeFileSync(file.path, filled(file.text))
  }
  const environment = Object.fromEntries(
    Object.entries(plan.environment).map(([name, value]) => [name, filled(value)]),
  )
  const results: SetupResult[] = []
  for (const step of plan.steps) {
    const run = await runStep({ ...step, command: step.command.map(filled) }, environment, plan)
    const picture = step.isPictured === true ? pictureOf(plan.home) : null
    results.push({ ...run, requests: model.requests.length, picture })
  }
  await model.stop()
  await new Promise<void>((resolve) => {
    process.stdout.write(`${JSON.stringify(results)}\n`, () => resolve())
  })
}

function runStep(
  { name, command: [program = '', ...args] }: SetupStep,
  env: Readonly<Record<string, string>>,
  { folder, timeoutMs }: SetupPlan,
): Promise<Omit<SetupResult, 'requests' | 'picture'>> {
  const startedAt = Date.now()
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let [out, errors] = ['', '']
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    child.stdout.on('data', (part: Buffer) => {
      out += part.toString('utf8')
    })
    child.stderr.on('data', (part: Buffer) => {
      errors += part.toString('utf8')
    })
    const end = (code: number | null): void => {
      clearTimeout(timer)
      resolve({ name, code, out, errors, ms: Date.now() - startedAt })
    }
    child.on('error', (error) => {
      errors += error.message
      end(null)
    })
    // A service that a step started keeps its pipes open, so that their end is not waited for.
    child.on('exit', (code) => setTimeout(() => end(code), 50))
  })
}

/** Files that a person might have written; caches and recordings of agents would be many. */
function pictureOf(home: string): Readonly<Record<string, string>> {
  const names = readdirSync(home, { recursive: true, withFileTypes: true })
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => relative(home, join(entry.parentPath, entry.name)))
    .filter(
      (name) =>
        !/(?:^|\/)(?:node_modules|\.cache|\.npm|sessions|projects|tmp|log|logs)\//.test(name),
    )
    .filter((name) => /(?:\.(?:json|jsonc|toml|env|yaml|service)|\.env|\.bashrc)$/.test(name))
  return Object.fromEntries(
    names.length === 0 ? [] : files.map((name) => [name, readFileSync(join(home, name), 'utf8')]),
  )
}

const parsed: unknown = JSON.parse(readFileSync(process.argv[2]!, 'utf8'))
await drive(parsed as SetupPlan)
process.exit(0)
