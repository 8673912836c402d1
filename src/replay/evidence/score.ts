import type { Item } from '../../core/words/item.ts'
import type { Recording } from '../../recordings/index.ts'
import type { Session } from '../../session/session.ts'
import { type ReplayedRequest, replay, type Shown } from '../replay.ts'
import type { Work } from '../work.ts'
import { type Change, changesOf } from './anchors.ts'
import { createVisibleLines, type VisibleLines } from './visible-lines.ts'

/** What became of the text that an agent replaced, in the request that made it do so. */
export type Fate = 'current' | 'stale' | 'recoverable' | 'lost'

export interface Score {
  readonly fates: Readonly<Record<Fate, number>>
  /** Characters of all requests, without us and with us. */
  readonly charactersBefore: number
  readonly charactersAfter: number
  /** One line for each edit whose text was not there. */
  readonly misses: readonly string[]
}

const leastSignificant = 16
const leastShare = 0.6

interface Wanted {
  readonly call: Item
  readonly request: ReplayedRequest
  readonly changes: readonly Change[]
}

/** A change of the past, for telling what is stale from what is merely hidden. */
interface Made {
  readonly call: Item
  readonly change: Change
}

/**
 * Replays a session and asks of each successful edit whether the text that it replaced, as far as it
 * stood in the request without us, stands in the request with us. It knows nothing of how the engine tracks files.
 */
export function* scoreEvidence(recording: Recording, session: Session): Work<Score> {
  const visibleOf = createVisibleLines()
  const fates = { current: 0, stale: 0, recoverable: 0, lost: 0 }
  const misses: string[] = []
  const made: Made[] = []
  const open = new Map<string, Wanted>()
  let request: ReplayedRequest | null = null
  let charactersBefore = 0
  let charactersAfter = 0

  function judge({ call, request: seen, changes }: Wanted): void {
    const without = visibleOf(seen.unchanged)
    const within = visibleOf(seen.view)
    for (const change of changes) {
      const needed = neededLines(change, without)
      if (needed === null) continue
      const missing = needed.filter((line) => !stands(line, change, within))
      const fate = fateOf(missing, seen, made, visibleOf)
      fates[fate]++
      if (fate === 'current') continue
      const words = missing.slice(0, 3).map((line) => JSON.stringify(line.trim().slice(0, 80)))
      misses.push(`${fate}: request ${seen.n}, ${call.handle}: ${words.join(', ')}`)
    }
  }

  for (const step of replay(recording, session)) {
    yield
    if (step.kind === 'request') {
      request = step
      if (step.turn?.receipt.fault != null) throw step.turn.receipt.fault
      charactersBefore += sizeOf(step.unchanged)
      charactersAfter += sizeOf(step.view)
      continue
    }
    for (const item of step.items) {
      if (item.kind === 'call' && request !== null) {
        const changes = changesOf(item)
        if (changes.length > 0) open.set(item.call, { call: item, request, changes })
      }
      if (item.kind !== 'result' || item.status === 'running') continue
      const wanted = open.get(item.call)
      open.delete(item.call)
      if (wanted === undefined || item.status !== 'ok') continue
      judge(wanted)
      for (const change of wanted.changes) made.push({ call: wanted.call, change })
    }
  }
  return { fates, charactersBefore, charactersAfter, misses }
}

const significant = (line: string): number => line.replaceAll(/\s/g, '').length

/** The lines of an anchor that stood in the request without us; null when that is too little to speak of. */
function neededLines(change: Change, without: VisibleLines): readonly string[] | null {
  const anchor = change.anchor.filter((line) => line.trim() !== '')
  const whole = anchor.reduce((sum, line) => sum + significant(line), 0)
  if (whole < leastSignificant) return null
  const standing = anchor.filter((line) => stands(line, change, without))
  const there = standing.reduce((sum, line) => sum + significant(line), 0)
  return there >= whole * leastShare ? standing : null
}

function stands(line: string, change: Change, visible: VisibleLines): boolean {
  if (visible.has(line)) return true
  const isEdge = line === change.anchor[0] || line === change.anchor.at(-1)
  return change.partial && isEdge && visible.contains(line)
}

function fateOf(
  missing: readonly string[],
  request: ReplayedRequest,
  made: readonly Made[],
  visibleOf: (shown: readonly Shown[]) => VisibleLines,
): Fate {
  if (missing.length === 0) return 'current'
  if (missing.some((line) => isStale(line, request, made, visibleOf))) return 'stale'
  const originals = request.view.flatMap(({ item, rendition }) =>
    rendition?.handle === undefined ? [] : [{ item, rendition: null }],
  )
  const behindHandles = visibleOf(originals)
  const found = missing.every((line) => behindHandles.has(line) || behindHandles.contains(line))
  return found ? 'recoverable' : 'lost'
}

/** The change that wrote the line is hidden, while the text that it replaced is still shown. */
function isStale(
  line: string,
  request: ReplayedRequest,
  made: readonly Made[],
  visibleOf: (shown: readonly Shown[]) => VisibleLines,
): boolean {
  const writer = made.findLast(({ change }) =>
    change.added.some((added) => added.trim() === line.trim()),
  )
  if (writer === undefined) return false
  const shown = request.view.find(({ item }) => item.index === writer.call.index)
  if (shown !== undefined && shown.rendition === null) return false
  const added = new Set(writer.change.added.map((each) => each.trim()))
  const gone = writer.change.removed.filter((each) => each.trim() !== '' && !added.has(each.trim()))
  const visible = visibleOf(request.view)
  return gone.length > 0 && gone.every((each) => visible.has(each))
}

function sizeOf(shown: readonly Shown[]): number {
  return shown.reduce((sum, { item, rendition }) => sum + (rendition?.text ?? item.text).length, 0)
}
