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
  let gateway: KilledGateway | null = null
  const model = await startModel({
    scenario,
    log,
    seed,
    beforeAnswer: async (requests) => gateway?.beforeAnswer(requests),
  })
  gateway = await startKilled(plan, model)
  const { url } = gateway
  const filled = (text: string): string => text.replaceAll('{url}', url)
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
  /** Kills the gateway while it waits for the answer to a request, so that the client has seen nothing of it. */
  beforeAnswer(requests: number): Promise<void>
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
  return {
    url: serving.url,
    async restart() {
      await restarting
      await serving.end('SIGTERM')
      complaints += serving.errors
      serving = await start(port)
    },
    async beforeAnswer(requests) {
      if (killAfter === null || kills > 0 || requests < killAfter) return
      kills++
      await serving.end('SIGKILL')
      complaints += serving.errors
      restarting = start(port).then((restarted) => {
        serving = restarted
      })
    },
    async stop() {
      await restarting
      await serving.end('SIGTERM')
      return { kills, complaints: complaints + serving.errors }
    },
  }
}

const parsed: unknown = JSON.parse(readFileSync(process.argv[2]!, 'utf8'))
await drive(parsed as GatewayPlan)
process.exit(0)
