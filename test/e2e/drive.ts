import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { startModel } from '../model/server.ts'
import type { Plan, PlannedStep, StepResult } from './plan.ts'

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

function runStep(
  step: PlannedStep,
  environment: Readonly<Record<string, string>>,
  plan: Plan,
): Promise<StepResult> {
  return new Promise((resolve) => {
    // A group of its own, so that whatever the client started ends with it.
    const child = spawn(step.command, step.args, {
      cwd: plan.folder,
      env: environment,
      detached: true,
      stdio: ['ignore', openSync(step.output, 'w'), 'pipe'],
    })
    let errors = ''
    const timer = setTimeout(() => {
      errors += `\nstopped after ${plan.timeoutMs} ms`
      endGroup(child)
    }, plan.timeoutMs)
    child.stderr?.on('data', (part: Buffer) => {
      errors += part.toString('utf8')
    })
    child.on('error', (error) => {
      clearTimeout(timer)
      resolve({ code: null, errors: `${errors}${error.message}` })
    })
    child.on('exit', (code) => {
      clearTimeout(timer)
      endGroup(child)
      resolve({ code, errors })
    })
  })
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Nothing of the group is left, which is what was wanted.
  }
}

const parsed: unknown = JSON.parse(readFileSync(process.argv[2]!, 'utf8'))
await drive(parsed as Plan)
process.exit(0)
