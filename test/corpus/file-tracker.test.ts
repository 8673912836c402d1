import { createReadStream } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { createUnderstanding } from '../../src/actions/understand.ts'
import { certainLine, createFileTracker, type FileState } from '../../src/core/files/index.ts'
import { createRecord } from '../../src/core/record/record.ts'
import { createOperations } from '../../src/core/track/operations.ts'
import type { Operation } from '../../src/core/words/operation.ts'
import { readRecording } from '../../src/recordings/index.ts'
import type { Recording } from '../../src/recordings/recording.ts'
import { corpusFolder, describeCorpus, manifestRows } from './corpus.ts'

/**
 * Lines of reads of files that the session had seen or written before. The tracker claims that a line has a text, or,
 * where it does not know the line's number, that the file has such a line.
 */
interface Score {
  readonly agent: string
  readonly by: 'tool' | 'shell'
  /** Lines that it claimed to know, and was right about. A claim without a number is put to the test by whole reads. */
  claimed: number
  right: number
  /** Lines that had been seen or written before and are as they were; those of them that it knew with their number, and
   * those that it knew to be in the file without. */
  unchanged: number
  known: number
  unnumbered: number
  /** Lines in whose place another text had been seen: somebody else changed the file, and nothing showed it. */
  changed: number
}

/** The file that a result shows as it is, and how. */
function shownFile({
  action,
  status,
  reading,
}: Operation): { path: string; by: Score['by'] } | null {
  if (status !== 'ok' || reading === null || reading.lines === null) return null
  if (action.kind === 'read') return { path: action.path, by: 'tool' }
  const only = action.kind === 'shell' && action.reads.length === 1 ? action.reads[0] : undefined
  if (only?.exact !== true || action.kind !== 'shell' || action.changes.length > 0) return null
  return { path: only.path, by: 'shell' }
}

/** True when the text is the last that was known of the line, certain or not; a moved line counts too. */
function isUnchanged({ segments }: FileState, line: number, text: string): boolean {
  return segments.some(
    (segment) =>
      segment.kind === 'lines' &&
      (segment.first === null
        ? segment.lines.some((each) => each.text === text)
        : segment.lines[line - segment.first]?.text === text),
  )
}

/** True when the tracker has last known a text for that place, whichever. */
function hadLine({ segments }: FileState, line: number): boolean {
  return segments.some(
    (segment) =>
      segment.kind === 'lines' &&
      segment.first !== null &&
      segment.lines[line - segment.first] !== undefined,
  )
}

/** Texts of lines that are certain to be in the file, nobody knows where, each with how often. */
function unplacedTexts({ segments }: FileState): Map<string, number> {
  const texts = new Map<string, number>()
  for (const segment of segments) {
    if (segment.kind !== 'lines' || segment.first !== null) continue
    for (const { text, certain } of segment.lines) {
      if (certain) texts.set(text, (texts.get(text) ?? 0) + 1)
    }
  }
  return texts
}

function scoreRead(score: Score, state: FileState, operation: Operation): void {
  const { first = 1, lines = [] } = operation.reading?.lines ?? {}
  const unplaced = unplacedTexts(state)
  const left = new Map(unplaced)
  lines.forEach((text, index) => {
    const plain = text.replace(/\r$/, '')
    const claim = certainLine(state, first + index)?.replace(/\r$/, '') ?? null
    if (claim !== null) score.claimed++
    if (claim === plain) score.right++
    if (isUnchanged(state, first + index, text)) {
      score.unchanged++
      const without = left.get(text) ?? 0
      if (claim !== null) score.known++
      else if (without > 0) {
        score.unnumbered++
        left.set(text, without - 1)
      }
    } else if (hadLine(state, first + index)) score.changed++
  })
  const isWhole = operation.action.kind === 'read' && operation.action.lines === null && first === 1
  if (!isWhole || operation.reading?.truncated === true) return
  const shown = new Set(lines)
  for (const text of unplaced.keys()) {
    score.claimed++
    if (shown.has(text)) score.right++
  }
}

function scoreSession(recording: Recording, scoreOf: (by: Score['by']) => Score): void {
  const drafts = recording.events.flatMap((event) =>
    event.kind === 'message' ? [event.message] : [],
  )
  const operations = createOperations(createUnderstanding({ cwd: recording.cwd }))
  const tracker = createFileTracker()
  for (const message of createRecord({ sizeOf: () => 0 }).append(drafts).added) {
    tracker.observeMessage(message)
    for (const operation of operations.observe(message)) {
      const shown = shownFile(operation)
      if (shown !== null && tracker.history(shown.path).length > 0) {
        scoreRead(scoreOf(shown.by), tracker.current(shown.path), operation)
      }
      tracker.observe(operation)
    }
  }
}

describeCorpus('the file tracker, wherever real agents read again', () => {
  it('is right about what it claims to know, and knows most of it', async () => {
    const scores = new Map<string, Score>()
    for (const { path: file = '', format: agent = '' } of manifestRows()) {
      const { recordings } = await readRecording(createReadStream(path.join(corpusFolder, file)))
      for (const recording of recordings) {
        scoreSession(recording, (by) => {
          const key = `${agent} ${by}`
          const counts = { claimed: 0, right: 0, unchanged: 0, known: 0, unnumbered: 0, changed: 0 }
          const fresh: Score = { agent, by, ...counts }
          const score = scores.get(key) ?? fresh
          scores.set(key, score)
          return score
        })
      }
    }
    const all = [...scores.values()]
    const right = (of: readonly Score[]): number =>
      share(
        of,
        (s) => s.right,
        (s) => s.claimed,
      )
    const known = (of: readonly Score[]): number =>
      share(
        of,
        (s) => s.known + s.unnumbered,
        (s) => s.unchanged,
      )
    const knownOfAll = (of: readonly Score[]): number =>
      share(
        of,
        (s) => s.known + s.unnumbered,
        (s) => s.unchanged + s.changed,
      )
    const numberedOfAll = (of: readonly Score[]): number =>
      share(
        of,
        (s) => s.known,
        (s) => s.unchanged + s.changed,
      )
    const row = (name: string, of: readonly Score[]): string =>
      [
        `${name}: claims right ${percent(right(of))} of ${sum(of, (s) => s.claimed)} lines,`,
        `known ${percent(known(of))} of ${sum(of, (s) => s.unchanged)} read again as they were,`,
        `${percent(knownOfAll(of))} with ${sum(of, (s) => s.changed)} that somebody else changed`,
        `(${percent(numberedOfAll(of))} with their number)`,
      ].join(' ')
    const by = (how: Score['by']): readonly Score[] => all.filter((score) => score.by === how)
    console.log(
      [
        ...all.map((score) => row(`${score.agent}, read by ${score.by}`, [score])),
        row('all, read by tool', by('tool')),
        row('all, read by shell', by('shell')),
      ].join('\n'),
    )
    expect(sum(all, (s) => s.claimed)).toBeGreaterThan(15_000)
    expect(right(all)).toBeGreaterThanOrEqual(0.999)
    // A line that others changed unseen can only be unknown, and counts all the same.
    expect(knownOfAll(by('tool'))).toBeGreaterThanOrEqual(0.8)
    expect(knownOfAll(by('shell'))).toBeGreaterThanOrEqual(0.5)
  })
})

function sum(scores: readonly Score[], of: (score: Score) => number): number {
  return scores.reduce((total, score) => total + of(score), 0)
}

function share(
  scores: readonly Score[],
  part: (score: Score) => number,
  whole: (score: Score) => number,
): number {
  return sum(scores, part) / sum(scores, whole)
}

function percent(part: number): string {
  return Number.isNaN(part) ? '–' : `${(100 * part).toFixed(2)} %`
}
