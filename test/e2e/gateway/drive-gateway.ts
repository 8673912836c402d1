import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Serving, serve } from '../../gateway/serving.ts'
import { type RunningModel, startModel } from '../../model/server.ts'
import type { StepResult } from '../plan.ts'
import { runStep } from '../run-step.ts'
import type { GatewayPlan, GatewayRun } from './gateway-plan.ts'

/** Serves the model, the gateway before it, and runs the plan's steps. The result goes to standard output as JSON. */
async function drive(plan: GatewayPlan): Promise<void> {
  const { scenario, log, seed } = plan
  const model = await startModel({ scenario, log, seed })
  const gateway = await startKilled(plan, model)
  const filled = (text: string): string => text.replaceAll('{url}', gateway.url)
  for (const file of plan.files) {
    mkdirSync(dirname(file.path), { recursive: true })
    writeFileSync(file.path, filled(file.text))
  }
  const environment = Object.fromEntries(
    Object.entries(plan.environment).map(([name, value]) => [name, filled(value)]),
  )
  const results: StepResult[] = []
  for (const [index, step] of plan.steps.entries()) {
    if (plan.restarts && index > 0) await gateway.restart()
    const result = await runStep({ ...step, args: step.args.map(filled) }, environment, plan)
    results.push(result)
    if (result.code !== 0) break
  }
  const { kills, complaints } = await gateway.stop()
  await model.stop()
  const run: GatewayRun = { results, kills, complaints }
  // A pipe takes a long report in pieces, and an early exit would cut it.
  await new Promise<void>((resolve) => {
    process.stdout.write(`${JSON.stringify(run)}\n`, () => resolve())
  })
}

interface KilledGateway {
  readonly url: string
  restart(): Promise<void>
  stop(): Promise<{ readonly kills: number; readonly complaints: string }>
}

/** A gateway that is killed once in the middle, without a chance to put anything in order, and comes back. */
async function startKilled(plan: GatewayPlan, model: RunningModel): Promise<KilledGateway> {
  const { palimpsest: command, store, home, killAfter } = plan
  const start = (port: number): Promise<Serving> =>
    serve({ command, store, home, upstream: model.url, port })
  let serving = await start(0)
  let complaints = ''
  let kills = 0
  let restarting: Promise<void> | null = null
  const port = Number(new URL(serving.url).port)
  const watch = setInterval(() => {
    if (killAfter === null || kills > 0 || model.requests.length < killAfter) return
    kills++
    restarting = serving.end('SIGKILL').then(async () => {
      complaints += serving.errors
      serving = await start(port)
    })
  }, 5)
  return {
    url: serving.url,
    async restart() {
      await restarting
      await serving.end('SIGTERM')
      complaints += serving.errors
      serving = await start(port)
    },
    async stop() {
      clearInterval(watch)
      await restarting
      await serving.end('SIGTERM')
      return { kills, complaints: complaints + serving.errors }
    },
  }
}

const parsed: unknown = JSON.parse(readFileSync(process.argv[2]!, 'utf8'))
await drive(parsed as GatewayPlan)
process.exit(0)
