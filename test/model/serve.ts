import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parseScenario } from './scenario.ts'
import { startModel } from './server.ts'

const usage = `Serves a scripted model on loopback; prints its address once it listens.

  node test/model/main.mjs --scenario FILE [--port 4010] [--log FILE] [--seed 1] [--latency-ms 0] [--project FOLDER]
`

const { values } = parseArgs({
  options: {
    scenario: { type: 'string' },
    port: { type: 'string', default: '0' },
    log: { type: 'string' },
    seed: { type: 'string', default: '1' },
    'latency-ms': { type: 'string', default: '0' },
    project: { type: 'string', default: process.cwd() },
    help: { type: 'boolean', default: false },
  },
})

if (values.help || values.scenario === undefined) {
  process.stdout.write(usage)
  process.exitCode = values.help ? 0 : 2
} else {
  const parsed: unknown = JSON.parse(readFileSync(values.scenario, 'utf8'))
  const model = await startModel({
    scenario: parseScenario(parsed, values.project),
    port: Number(values.port),
    seed: Number(values.seed),
    latencyMs: Number(values['latency-ms']),
    ...(values.log === undefined ? {} : { log: values.log }),
  })
  process.stdout.write(`${model.url}\n`)
  const stop = (): void => {
    model.stop().then(() => process.exit(0))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
