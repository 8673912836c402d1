/** When the sample session begins, whenever it was recorded. */
const startsAtMs = Date.UTC(2026, 2, 2, 9)

const identifier = /\b(ses|msg|prt)_[0-9A-Za-z]{20,}\b/g
const timestamp =
  /(?<="(?:created|updated|completed|start|end|time_created|time_updated)": ?)1[0-9]{12}\b/g
/** What Node's test runner measured. */
const duration = /duration_ms:? [0-9.]+/g

/**
 * Takes out of an export what differs between two recordings of the same session: ids are counted up in the order in
 * which they appear, time starts at a fixed moment, and the durations in test reports are all the same.
 */
export function normaliseExport(text: string): string {
  const counted = new Map<string, string>()
  const named = text.replaceAll(identifier, (found, prefix: string) => {
    const known = counted.get(found)
    if (known !== undefined) return known
    const name = `${prefix}_${String(counted.size + 1).padStart(26, '0')}`
    counted.set(found, name)
    return name
  })
  const times = [...named.matchAll(timestamp)].map(([found]) => Number(found))
  const shift = startsAtMs - Math.min(...times)
  return named
    .replaceAll(timestamp, (found) => String(Number(found) + shift))
    .replace(/"slug": ?"[a-z-]+"/, '"slug":"sample-session"')
    .replaceAll(duration, (found) => found.replace(/[0-9.]+$/, '1.5'))
}
