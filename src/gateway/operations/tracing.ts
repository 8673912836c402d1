import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type Context,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { RequestReport } from '../record.ts'
import { bypassReason } from './bypass-reason.ts'

/** Spans of requests, by the API of OpenTelemetry. Without a provider they cost next to nothing. */
export interface Tracing {
  request<Result>(
    request: IncomingMessage,
    response: ServerResponse,
    work: () => Promise<Result>,
  ): Promise<Result>
  decision<Result>(work: () => Promise<Result>): Promise<Result>
  answered(report: RequestReport): void
  /** Ends the spans of requests that have been answered. */
  settle(): void
}

/** The report about an answer may come just after its last byte. */
const graceMs = 100

export function createTracing(): Tracing {
  const tracer = trace.getTracer('palimpsest')
  const spans = new AsyncLocalStorage<Span>()
  const answeredSpans = new Set<() => void>()

  return {
    request(request, response, work) {
      const { method = 'GET', url = '/', headers } = request
      // Without its query, which may have a key.
      const path = url.split('?', 1)[0] as string
      const attributes = { 'http.request.method': method, 'url.path': path }
      const parent = parentIn(headers.traceparent)
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent)
      if (!span.isRecording()) return work()
      response.once('close', () => {
        const endedAt = Date.now()
        const { statusCode } = response
        span.setAttribute('http.response.status_code', statusCode)
        if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        const timer = setTimeout(end, graceMs).unref()
        answeredSpans.add(end)
        function end(): void {
          clearTimeout(timer)
          answeredSpans.delete(end)
          span.end(endedAt)
        }
      })
      return spans.run(span, work)
    },
    async decision(work) {
      const request = spans.getStore()
      if (request === undefined) return work()
      const span = tracer.startSpan('decide', {}, trace.setSpan(context.active(), request))
      try {
        return await work()
      } finally {
        span.end()
      }
    },
    answered({ model, agent, bypass, tokens, opened, saved, usage, firstByteMs, error }) {
      spans.getStore()?.setAttributes({
        'gen_ai.request.model': model ?? undefined,
        'gen_ai.usage.input_tokens': usage?.input,
        'gen_ai.usage.output_tokens': usage?.output,
        'palimpsest.agent': agent ?? undefined,
        'palimpsest.bypass': bypass === null ? undefined : bypassReason(bypass),
        'palimpsest.tokens.before': tokens?.before,
        'palimpsest.tokens.after': tokens?.after,
        'palimpsest.epoch': opened ?? undefined,
        'palimpsest.saved_dollars': saved ?? undefined,
        'palimpsest.first_byte_ms': firstByteMs ?? undefined,
        'error.type': error ?? undefined,
      })
    },
    settle() {
      for (const end of answeredSpans) end()
    },
  }
}

/** The active span of an SDK that instruments HTTP, or else the caller's, as the W3C header names it. */
function parentIn(header: string | string[] | undefined): Context {
  const active = context.active()
  if (trace.getSpan(active) !== undefined) return active
  const [, traceId = '', spanId = '', flags = ''] =
    /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/.exec(String(header ?? '')) ?? []
  if (traceId === '' || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return active
  const traceFlags = Number.parseInt(flags, 16)
  return trace.setSpanContext(active, { traceId, spanId, traceFlags, isRemote: true })
}
