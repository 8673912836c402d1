import { randomBytes } from 'node:crypto'
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  type SpanStatus,
  type TimeInput,
  TraceFlags,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import { otlpAttributes, otlpTime } from './send.ts'

/** Gets each finished span, as OTLP writes it. */
export type SpanSink = (span: object) => void

/** A provider for the API of OpenTelemetry, for gateways whose user has registered none: spans go to one sink. */
export function createTracerProvider(sink: SpanSink, sampledShare: number): TracerProvider {
  function startSpan(
    name: string,
    options: SpanOptions = {},
    context: Context = ROOT_CONTEXT,
  ): Span {
    const parent = options.root === true ? undefined : trace.getSpanContext(context)
    const isSampled =
      parent === undefined
        ? Math.random() < sampledShare
        : (parent.traceFlags & TraceFlags.SAMPLED) !== 0
    const traceId = parent?.traceId ?? randomBytes(16).toString('hex')
    if (!isSampled)
      return trace.wrapSpanContext({ traceId, spanId: newSpanId(), traceFlags: TraceFlags.NONE })
    return new ExportedSpan(name, { ...options, traceId, parentId: parent?.spanId ?? null, sink })
  }
  const tracer: Tracer = {
    startSpan,
    // Nothing of ours starts active spans; there is no context manager.
    startActiveSpan: (name: string, ...rest: unknown[]) => {
      const work = rest.at(-1) as (span: Span) => unknown
      return work(startSpan(name)) as never
    },
  }
  return { getTracer: () => tracer }
}

interface StartedSpan extends SpanOptions {
  readonly traceId: string
  readonly parentId: string | null
  readonly sink: SpanSink
}

class ExportedSpan implements Span {
  #name: string
  readonly #options: StartedSpan
  readonly #spanId = newSpanId()
  readonly #startedAt: number
  readonly #attributes: Attributes
  #status: SpanStatus = { code: 0 }
  #isEnded = false

  constructor(name: string, options: StartedSpan) {
    this.#name = name
    this.#options = options
    this.#startedAt = timeOf(options.startTime)
    this.#attributes = { ...options.attributes }
  }

  spanContext(): ReturnType<Span['spanContext']> {
    const { traceId } = this.#options
    return { traceId, spanId: this.#spanId, traceFlags: TraceFlags.SAMPLED }
  }

  setAttribute(key: string, value: Attributes[string]): this {
    if (value !== undefined) this.#attributes[key] = value
    return this
  }

  setAttributes(attributes: Attributes): this {
    Object.assign(this.#attributes, attributes)
    return this
  }

  addEvent(): this {
    return this
  }

  addLink(): this {
    return this
  }

  addLinks(): this {
    return this
  }

  setStatus(status: SpanStatus): this {
    this.#status = status
    return this
  }

  updateName(name: string): this {
    this.#name = name
    return this
  }

  isRecording(): boolean {
    return !this.#isEnded
  }

  recordException(): void {}

  end(endTime?: TimeInput): void {
    if (this.#isEnded) return
    this.#isEnded = true
    const { traceId, parentId, kind = 0, sink } = this.#options
    sink({
      traceId,
      spanId: this.#spanId,
      ...(parentId === null ? {} : { parentSpanId: parentId }),
      name: this.#name,
      // The API counts kinds from 0, OTLP from 1.
      kind: kind + 1,
      startTimeUnixNano: otlpTime(this.#startedAt),
      endTimeUnixNano: otlpTime(timeOf(endTime)),
      attributes: otlpAttributes(this.#attributes),
      status: this.#status,
    })
  }
}

function newSpanId(): string {
  return randomBytes(8).toString('hex')
}

/** Our own code gives milliseconds since 1970, or nothing for now. */
function timeOf(time: TimeInput | undefined): number {
  return typeof time === 'number' ? time : performance.timeOrigin + performance.now()
}
