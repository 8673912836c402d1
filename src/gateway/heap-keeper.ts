import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Has garbage collected when nobody waits for it, and before much more is made. */
export interface HeapKeeper {
  /** No request has come for a moment. */
  inPause(): void
  /** A session is about to be loaded, which makes more garbage than hundreds of requests that go on. */
  beforeLoad(): void
  /** A request is on its way to its provider, who will take longer than this. */
  afterRequest(): void
  /** An answer is over, and its client has something else to do for a moment. Bodies of so many bytes were made for it. */
  afterAnswer(bodyBytes: number): void
}

/** So much more than after the last collection is worth one in a pause: each has some code compiled anew after it. */
const pauseBytes = 48 * 1024 * 1024
/** Garbage of so many bytes, or of so large a share of what is in use, is enough where sessions are loaded. */
const loadBytes = 64 * 1024 * 1024
const loadShare = 0.35
/** V8 by itself has what is young collected when bodies of a third more were made, in the middle of taking in the next one. */
const bodyBytesOfYoung = 12 * 1024 * 1024
/** V8 by itself begins at some more, so that it finds nothing to do where there are pauses, and keeps a limit where not. */
const ownBytes = 96 * 1024 * 1024
const ownShare = 0.5

/** Collections that the shape of an object outlives when there is none of it left. */
const shapesOutlive = 10_000

/**
 * For a process that does nothing but serve. Left to itself, V8 collects while a request is decided about, because that is
 * when memory is taken.
 */
export function createHeapKeeper(): HeapKeeper {
  const collect = collector()
  return collect === null
    ? { inPause() {}, beforeLoad() {}, afterRequest() {}, afterAnswer() {} }
    : keeperWith(collect)
}

function keeperWith(collect: Collector): HeapKeeper {
  let least = usedBytes()
  let hasLoaded = false
  let youngBodyBytes = 0
  limitGrowth(least)
  setFlagsFromString(`--retain-maps-for-n-gc=${shapesOutlive}`)
  function collectAbove(bytes: number): void {
    const used = usedBytes()
    // V8 has collected in the meantime.
    if (used < least) least = used
    if (used < least + bytes) return
    limitGrowth(least)
    collect.all()
    youngBodyBytes = 0
    least = usedBytes()
  }
  return {
    inPause: () => collectAbove(pauseBytes),
    beforeLoad() {
      hasLoaded = true
      collectAbove(Math.max(loadBytes, least * loadShare))
    },
    afterRequest() {
      if (!hasLoaded) return
      hasLoaded = false
      // What a session keeps would otherwise be moved in one of its next requests; what is young is moved twice.
      collect.young()
      collect.young()
      youngBodyBytes = 0
    },
    afterAnswer(bodyBytes) {
      youngBodyBytes += bodyBytes
      if (youngBodyBytes < bodyBytesOfYoung) return
      youngBodyBytes = 0
      collect.young()
    },
  }
}

function usedBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory
}

/** Holds from the next collection on. */
function limitGrowth(bytes: number): void {
  const percent = Math.round(100 * Math.max(ownShare, ownBytes / bytes))
  setFlagsFromString(`--heap-growing-percent=${percent}`)
}

interface Collector {
  all(): void
  young(): void
}

function collector(): Collector | null {
  if ('Bun' in globalThis) return null
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('globalThis.gc')
  if (typeof gc !== 'function') return null
  const young = (): void => gc({ type: 'minor' })
  return { all: () => collectAll(young), young }
}

/**
 * Requests are decided about with objects that are gone afterwards. A collection that is made at once forgets their shapes,
 * and with them the optimised code for them: the next requests would share the processors with a compiler that makes it
 * again. V8 keeps shapes where marking has begun before, as it does by itself.
 */
function collectAll(young: () => void): void {
  withFlag('--incremental-marking-hard-trigger=1', '--incremental-marking-hard-trigger=0', young)
  withFlag('--gc-global', '--no-gc-global', young)
}

function withFlag(set: string, unset: string, work: () => void): void {
  setFlagsFromString(set)
  try {
    work()
  } finally {
    setFlagsFromString(unset)
  }
}
