import { arrayOf, isJsonObject, type JsonObject } from '../../core/words/json.ts'
import type { Violation } from '../format.ts'
import { violationOf } from '../rule.ts'
import * as rules from './rules.ts'

const mostMarkers = 4

interface Marker {
  readonly where: string
  readonly ttl: unknown
}

/** The blocks with `cache_control`, in the order in which the API processes them. */
export function cacheMarkers(body: JsonObject): readonly Marker[] {
  const markers: Marker[] = []
  collect(body.tools, 'tools', markers)
  collect(body.system, 'system', markers)
  for (const [index, message] of arrayOf(body.messages).entries()) {
    if (isJsonObject(message)) collect(message.content, `messages.${index}.content`, markers)
  }
  return markers
}

function collect(blocks: unknown, where: string, markers: Marker[]): void {
  for (const [index, block] of arrayOf(blocks).entries()) {
    if (!isJsonObject(block)) continue
    if (block.type === 'tool_result') {
      for (const [inner, nested] of arrayOf(block.content).entries()) {
        addMarker(nested, `${where}.${index}.content.${inner}`, markers)
      }
    }
    addMarker(block, `${where}.${index}`, markers)
  }
}

function addMarker(block: unknown, where: string, markers: Marker[]): void {
  const control = isJsonObject(block) ? block.cache_control : undefined
  if (isJsonObject(control)) {
    markers.push({ where: `${where}.cache_control`, ttl: control.ttl ?? '5m' })
  }
}

export function* checkCacheControl(body: JsonObject): Generator<Violation> {
  const markers = cacheMarkers(body)
  if (markers.length > mostMarkers) {
    const where = markers[mostMarkers]!.where
    yield violationOf(rules.cacheControlCount, where, { count: markers.length })
  }
  let short = false
  for (const { where, ttl } of markers) {
    if (ttl === '1h' && short) yield violationOf(rules.cacheControlOrder, `${where}.ttl`)
    if (ttl === '5m') short = true
  }
}
