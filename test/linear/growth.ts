import { isShortRun } from '../e2e/installed-client.ts'

/** A text of about so many characters, built to be as hard to read as its kind can be. */
export interface Shape {
  readonly name: string
  readonly text: (length: number) => string
}

const small = 16_000
const middle = 128_000
const large = isShortRun ? 512_000 : 1_000_000
/** The part of a million characters that the longest text has. */
const share = large / 1_000_000

/** Below this, even quadratic growth would stay under the limit at a million characters. */
const quickMs = 15
/** At a million characters; a linear reader needs a small part of it. */
const mostMs = 1_500
/** For a text of a few thousand characters. */
const mostShortMs = 400
/** Time may grow with length to this power: 1 is linear, 2 quadratic, and the rest is noise. */
const mostExponent = 1.5

/**
 * Says why a reader's time does not grow linearly on a shape, or null when it does. Measures processor time, so that a
 * busy machine does not matter, and measures again before it complains. `times` is how often the reader reads the text.
 */
export function superlinear(
  read: (text: string) => unknown,
  shape: Shape,
  times = 1,
): string | null {
  const limit = mostMs * times
  const first = leastMs(read, shape, small, limit / 10)
  if (first > limit / 10) return complaint(shape, small, first)
  const second = leastMs(read, shape, middle, limit / 8)
  if (second <= quickMs * times) return null
  if (second > limit) return complaint(shape, middle, second)
  // What grows quadratically from here would still be within the limit at a million characters.
  const quick = (limit / 2) * share ** 2
  // A busy machine makes everything slower and leaves the growth as it is.
  const grown = Math.min(3 * limit * share, second * (large / middle) ** mostExponent)
  const allowed = Math.max(quick, grown)
  const third = leastMs(read, shape, large, allowed)
  if (third <= allowed) return null
  const exponent = Math.log(third / second) / Math.log(large / middle)
  return `${complaint(shape, large, third)}, exponent ${exponent.toFixed(2)}`
}

/** Says that a text takes longer than it should, for readers that leave out longer ones. */
export function slow(read: (text: string) => unknown, shape: Shape, length: number): string | null {
  const ms = leastMs(read, shape, length, mostShortMs)
  return ms > mostShortMs ? complaint(shape, length, ms) : null
}

function complaint({ name }: Shape, length: number, ms: number): string {
  return `${JSON.stringify(name)}: ${Math.round(ms)} ms for ${length} characters`
}

/** The least of up to three runs; one that is quick enough needs no other. */
function leastMs(
  read: (text: string) => unknown,
  shape: Shape,
  length: number,
  enough: number,
): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < 3 && least > enough; run++) {
    // Another text each time, so that nothing is answered from a cache.
    const text = shape.text(length - run)
    const before = process.cpuUsage()
    read(text)
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}
