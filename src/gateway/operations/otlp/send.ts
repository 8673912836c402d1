import type { Attributes, AttributeValue } from '@opentelemetry/api'
import type { OtlpTarget } from './settings.ts'

/** A collector that does not answer must not hold what is waiting for it. */
const patienceMs = 10_000

/** Sends one export as OTLP over HTTP in JSON. When the collector fails, the export is lost and the gateway continues. */
export async function sendOtlp(
  { url, headers }: OtlpTarget,
  body: object,
  onFault: (fault: unknown) => void,
): Promise<void> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
    })
    await answer.body?.cancel()
    if (!answer.ok) onFault(new Error(`${url} answered ${answer.status}`))
  } catch (fault) {
    onFault(fault)
  }
}

interface OtlpAttribute {
  readonly key: string
  readonly value: object
}

export function otlpAttributes(attributes: Attributes): readonly OtlpAttribute[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: otlpValue(value) }],
  )
}

function otlpValue(value: AttributeValue): object {
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number')
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  return { stringValue: String(value) }
}

/** Nanoseconds, which exceed what a JSON number holds. */
export function otlpTime(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds * 1000)) * 1000n)
}
