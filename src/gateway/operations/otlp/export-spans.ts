import { trace } from '@opentelemetry/api'
import { otlpAttributes, sendOtlp } from './send.ts'
import type { OtlpTarget } from './settings.ts'
import { createTracerProvider } from './tracer-provider.ts'

export interface SpanExportOptions {
  readonly target: OtlpTarget
  readonly resource: Readonly<Record<string, string>>
  readonly sampledShare: number
  onFault(fault: unknown): void
}

const delayMs = 2_000
const mostInExport = 512
/** Spans that come while the collector does not answer are dropped above this. */
const mostWaiting = 4_096

/** Exports spans in batches. An SDK that the user has registered goes before: then this does nothing. */
export function exportSpans(options: SpanExportOptions): { stop(): Promise<void> } {
  const { target, resource, onFault } = options
  const waiting: object[] = []
  let timer: NodeJS.Timeout | null = null
  let sending: Promise<void> = Promise.resolve()

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    sending = sending.then(async () => {
      while (waiting.length > 0) {
        const spans = waiting.splice(0, mostInExport)
        const scopeSpans = [{ scope: { name: 'palimpsest' }, spans }]
        const resourceSpans = [{ resource: { attributes: otlpAttributes(resource) }, scopeSpans }]
        await sendOtlp(target, { resourceSpans }, onFault)
      }
    })
    return sending
  }

  const provider = createTracerProvider((span) => {
    if (waiting.length >= mostWaiting) return
    waiting.push(span)
    timer ??= setTimeout(flush, delayMs).unref()
  }, options.sampledShare)
  const isOurs = trace.setGlobalTracerProvider(provider)
  return {
    async stop() {
      if (isOurs) trace.disable()
      await flush()
    },
  }
}
