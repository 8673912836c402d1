import { writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { otlpSettings } from '../../src/gateway/operations/otlp/settings.ts'
import { projectRoot } from '../model/project-root.ts'
import { countingAnswer } from './recording-upstream.ts'
import { type ServedCommands, serveCommands } from './served-commands.ts'
import { post } from './setting.ts'
import { paths, storyBodies } from './story.ts'

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

interface Span {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
}

interface Metric {
  readonly name: string
  readonly sum?: { readonly isMonotonic: boolean; readonly dataPoints: readonly Point[] }
  readonly gauge?: { readonly dataPoints: readonly Point[] }
  readonly histogram?: { readonly dataPoints: readonly Point[] }
}

interface Point {
  readonly asDouble?: number
  readonly count?: string
  readonly bucketCounts?: readonly string[]
  readonly explicitBounds?: readonly number[]
  readonly attributes: readonly Attribute[]
}

interface Received {
  readonly url: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: {
    readonly resourceSpans?: readonly {
      readonly resource: { readonly attributes: readonly Attribute[] }
      readonly scopeSpans: readonly { readonly spans: readonly Span[] }[]
    }[]
    readonly resourceMetrics?: readonly {
      readonly scopeMetrics: readonly { readonly metrics: readonly Metric[] }[]
    }[]
  }
}

/** A collector that keeps what arrives. */
const received: Received[] = []
const collector = http.createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const { url = '', headers } = request
    received.push({ url, headers, body: JSON.parse(Buffer.concat(parts).toString('utf8')) })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})
let endpoint = ''
let served: ServedCommands

beforeAll(async () => {
  served = await serveCommands()
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
}, 120_000)
beforeEach(() => {
  received.length = 0
})
afterAll(async () => {
  collector.close()
  await served.stop()
})

const at = (url: string): readonly Received[] => received.filter((each) => each.url === url)
const spans = (): readonly Span[] =>
  at('/v1/traces').flatMap(({ body }) =>
    (body.resourceSpans ?? []).flatMap((each) => each.scopeSpans.flatMap((scope) => scope.spans)),
  )
const valueIn = (attributes: readonly Attribute[], key: string): unknown =>
  Object.values(attributes.find((each) => each.key === key)?.value ?? {})[0]

const traceId = '0af7651916cd43dd8448eb211c80319c'
const bodies = storyBodies('anthropic', { turns: 6 })

async function serveWith(
  variables: readonly string[],
  headers: Record<string, string> = {},
): Promise<{ readonly errors: string }> {
  served.upstream.answerWith(countingAnswer())
  const serving = await served.start(`${variables.length}.db`, { within: ['env', ...variables] })
  for (const body of bodies)
    await post(`${serving.url}${paths.anthropic}?key=secret-in-the-query`, body, {
      'x-session-id': 's',
      ...headers,
    })
  expect(await serving.end('SIGTERM')).toBe(0)
  return { errors: serving.errors }
}

describe('OpenTelemetry by the standard variables', { timeout: 60_000 }, () => {
  it('exports a span for each request, below the caller’s, and one for its decision', async () => {
    await serveWith(
      [
        `OTEL_EXPORTER_OTLP_ENDPOINT=${endpoint}`,
        'OTEL_EXPORTER_OTLP_HEADERS=api-key=a%20key',
        'OTEL_SERVICE_NAME=our gateway',
        'OTEL_RESOURCE_ATTRIBUTES=deployment.environment=test',
      ],
      { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    )
    const requests = spans().filter(({ kind }) => kind === 2)
    const decisions = spans().filter(({ name }) => name === 'decide')
    expect([requests.length, decisions.length]).toEqual([bodies.length, bodies.length])
    for (const span of requests) {
      expect([span.traceId, span.parentSpanId, span.name]).toEqual([
        traceId,
        'b7ad6b7169203331',
        'POST',
      ])
      expect(valueIn(span.attributes, 'url.path')).toBe('/v1/messages')
      expect(valueIn(span.attributes, 'http.response.status_code')).toBe('200')
      expect(Number(valueIn(span.attributes, 'palimpsest.tokens.before'))).toBeGreaterThan(0)
      expect(Number(valueIn(span.attributes, 'gen_ai.usage.input_tokens'))).toBeGreaterThan(0)
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThan(BigInt(span.startTimeUnixNano))
    }
    expect(decisions.map(({ parentSpanId }) => parentSpanId)).toEqual(
      requests.map(({ spanId }) => spanId),
    )
    const [first] = at('/v1/traces')
    expect(first?.headers['api-key']).toBe('a key')
    const about = first?.body.resourceSpans?.[0]?.resource.attributes ?? []
    expect(valueIn(about, 'service.name')).toBe('our gateway')
    expect(valueIn(about, 'deployment.environment')).toBe('test')
    expect(JSON.stringify(received)).not.toMatch(/secret-in-the-query|counter/)
  })

  it('exports the metrics of /metrics, also at the end', async () => {
    await serveWith([`OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=${endpoint}/custom`])
    expect(at('/v1/traces')).toEqual([])
    const last = at('/custom').at(-1)?.body.resourceMetrics?.[0]?.scopeMetrics[0]?.metrics ?? []
    const named = (name: string): Metric | undefined => last.find((each) => each.name === name)
    const requests = named('palimpsest_requests_total')?.sum
    expect(requests?.isMonotonic).toBe(true)
    const counts = requests?.dataPoints.map(({ asDouble = 0 }) => asDouble) ?? []
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(bodies.length)
    expect(named('palimpsest_sessions_in_memory')?.gauge?.dataPoints[0]?.asDouble).toBe(1)
    const [added] = named('palimpsest_added_seconds')?.histogram?.dataPoints ?? []
    expect(added?.count).toBe(String(bodies.length))
    expect(added?.bucketCounts?.length).toBe((added?.explicitBounds?.length ?? 0) + 1)
    const inBuckets = added?.bucketCounts?.reduce((sum, each) => sum + Number(each), 0)
    expect(inBuckets).toBe(bodies.length)
  })

  it('leaves traces to an SDK that the user registers', async () => {
    const script = path.join(served.folder, 'sdk.mjs')
    const api = pathToFileURL(
      path.join(projectRoot, 'node_modules/@opentelemetry/api/build/src/index.js'),
    )
    writeFileSync(
      script,
      `import { trace, INVALID_SPAN_CONTEXT } from '${api}'
      const started = []
      const span = { isRecording: () => true, spanContext: () => INVALID_SPAN_CONTEXT }
      for (const name of ['setAttribute', 'setAttributes', 'setStatus', 'end']) span[name] = () => span
      const startSpan = (name) => (started.push(name), span)
      trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) })
      process.on('exit', () => process.stderr.write('started ' + started.join()))`,
    )
    const variables = [
      `NODE_OPTIONS=--import=${pathToFileURL(script)}`,
      `OTEL_EXPORTER_OTLP_ENDPOINT=${endpoint}`,
    ]
    const { errors } = await serveWith(variables)
    expect(errors).toContain(`started ${bodies.map(() => 'POST,decide').join()}`)
    expect(spans()).toEqual([])
  })

  it('says once that a collector does not answer, and serves on', async () => {
    const { errors } = await serveWith(['OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:9'])
    expect(errors.match(/traces or metrics were not exported/g)).toHaveLength(1)
  })
})

describe('the variables', () => {
  const base = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }
  const url = (env: Record<string, string>): readonly unknown[] => {
    const { traces = null, metrics = null } = otlpSettings(env) ?? {}
    return [traces?.url ?? null, metrics?.url ?? null]
  }

  it.each([
    [{}, [null, null]],
    [base, ['http://collector:4318/v1/traces', 'http://collector:4318/v1/metrics']],
    [{ ...base, OTEL_SDK_DISABLED: 'true' }, [null, null]],
    [{ ...base, OTEL_TRACES_EXPORTER: 'none' }, [null, 'http://collector:4318/v1/metrics']],
    [{ ...base, OTEL_METRICS_EXPORTER: 'console' }, ['http://collector:4318/v1/traces', null]],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t/x' }, ['http://t/x', null]],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }, [null, null]],
  ])('%j export to %j', (env, expected) => {
    expect(url(env)).toEqual(expected)
  })

  it.each([
    [{}, 1],
    [{ OTEL_TRACES_SAMPLER: 'always_off' }, 0],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' }, 0.25],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: 'many' }, 1],
  ])('%j sample the share %d', (env, share) => {
    expect(otlpSettings({ ...base, ...env })?.sampledShare).toBe(share)
  })
})
