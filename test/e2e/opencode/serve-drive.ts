import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { startModel } from '../../model/server.ts'
import { runStep } from '../run-step.ts'
import { namingTurns } from './naming-turns.ts'
import { startRegistry } from './own-registry.ts'
import type { ServeAnswer, ServeCall, ServePlan } from './serve-plan.ts'
import { answerText } from './steps.ts'
import { atTerminal } from './terminal.ts'

/** Serves the model, runs OpenCode's server against it, and takes the steps. Writes the answers down as JSON. */
async function drive(plan: ServePlan): Promise<void> {
  const scenario = {
    ...plan.scenario,
    turns: namingTurns(plan.scenario.turns, () => model.requests.at(-1)?.body ?? ''),
  }
  const model = await startModel({ scenario, log: plan.log, seed: 7 })
  for (const { path, text } of plan.files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text.replaceAll('{url}', model.url))
  }
  const saved = new Map<string, string>()
  const answers: ServeAnswer[] = []
  let host: RunningHost | null = null
  const deadline = Date.now() + plan.timeoutMs
  const registry = plan.offers === undefined ? null : await startRegistry(plan.offers)
  const environment = {
    ...plan.environment,
    ...(registry === null ? {} : { npm_config_registry: registry.url }),
  }

  const filled = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => saved.get(name) ?? whole)

  async function call(step: ServeCall): Promise<ServeAnswer> {
    const response = await fetch(`${host?.url}${filled(step.path)}`, {
      method: step.method,
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.timeout(Math.max(1, deadline - Date.now())),
      ...(step.body === undefined ? {} : { body: filled(JSON.stringify(step.body)) }),
    })
    const text = await response.text()
    const body = parsed(text)
    const id = idOf(Array.isArray(body) ? body.at(-1) : body)
    if (step.saveAs !== undefined && id !== null) saved.set(step.saveAs, id)
    const [handle] = /\b[0-9a-f]{6}\b/.exec(answerText(body)) ?? []
    if (step.saveHandleAs !== undefined && handle !== undefined)
      saved.set(step.saveHandleAs, handle)
    return { status: response.status, body }
  }

  async function run(args: readonly string[]): Promise<ServeAnswer> {
    const output = `${plan.answers}.run`
    const step = { command: plan.command, args: args.map(filled), output }
    const { code, errors } = await runStep(step, environment, plan)
    return { status: code ?? -1, body: { printed: readFileSync(output, 'utf8'), errors } }
  }

  try {
    for (const step of plan.steps) {
      if (step.kind === 'start') host = await startHost({ ...plan, environment })
      else if (step.kind === 'stop') {
        await host?.stop()
        host = null
      } else if (step.kind === 'together')
        answers.push(...(await Promise.all(step.calls.map(call))))
      else if (step.kind === 'run') answers.push(await run(step.args))
      else if (step.kind === 'terminal') {
        const screens = await atTerminal({ ...plan, environment, acts: step.acts })
        answers.push({ status: 200, body: screens })
      } else answers.push(await call(step))
    }
  } catch (error) {
    answers.push({ status: 0, body: String(error) })
  }
  await host?.stop()
  await model.stop()
  await registry?.stop()
  writeFileSync(plan.answers, JSON.stringify(answers))
}

interface RunningHost {
  readonly url: string
  stop(): Promise<void>
}

/** Waits until the host says that it listens: a request that comes earlier may never be answered. */
async function startHost(plan: ServePlan): Promise<RunningHost> {
  const port = await freePort()
  const child = spawn(plan.command, ['serve', '--port', String(port)], {
    cwd: plan.folder,
    env: plan.environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the host did not start')), 90_000)
    child.once('exit', (code) => reject(new Error(`the host ended with ${code}`)))
    child.stdout?.on('data', (part: Buffer) => {
      if (!part.toString('utf8').includes('listening')) return
      clearTimeout(timer)
      resolve()
    })
  })
  return { url: `http://127.0.0.1:${port}`, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  endGroup(child, 'SIGTERM')
  const timer = setTimeout(() => endGroup(child, 'SIGKILL'), 3000)
  if (child.exitCode === null && child.signalCode === null) await ended
  clearTimeout(timer)
  endGroup(child, 'SIGKILL')
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    // Nothing of the group is left, which is what was wanted.
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function idOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null
  const { id, info } = value as { id?: unknown; info?: { id?: unknown } }
  const found = id ?? info?.id
  return typeof found === 'string' ? found : null
}

await drive(JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as ServePlan)
process.exit(0)
