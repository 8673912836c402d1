import { type ChildProcess, spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import type { Plan, PlannedStep, StepResult } from './plan.ts'

/** Runs one command of a client to its end; whatever it started ends with it. */
export function runStep(
  step: PlannedStep,
  environment: Readonly<Record<string, string>>,
  plan: Pick<Plan, 'folder' | 'timeoutMs'>,
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
