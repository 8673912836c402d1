import { createEngineMaker } from '../../src/config/engine-maker.ts'
import type { Anchor } from '../../src/core/record/branches.ts'
import type { RequestRead } from '../../src/formats/format.ts'
import { applyInPlace, opencode } from '../../src/formats/opencode/index.ts'
import type { HostedSession, Pruner } from './host.ts'

/** The time of one request, and its result. */
export interface RequestWork {
  readonly readMs: number
  readonly engineMs: number
  readonly rewriteMs: number
  /** Items that are shown differently. */
  readonly changes: number
}

interface PalimpsestOptions {
  /** Whether each changed list is validated, as it is in production. */
  readonly validates: boolean
  readonly onRequest?: (work: RequestWork) => void
}

/** Our own pruner: reads, decides and rewrites the host's messages under the default preset. */
export function palimpsest(options: PalimpsestOptions): Pruner {
  return {
    name: options.validates ? 'palimpsest, validated' : 'palimpsest',
    open: async () => openSession(options),
  }
}

const model = 'claude-sonnet-4-5'
/** Long after the recorded messages, so that no cache is warm. */
const resumedAt = 7 * 24 * 60 * 60 * 1000
const betweenRequests = 20_000

function openSession({ validates, onRequest }: PalimpsestOptions): HostedSession {
  const maker = createEngineMaker(
    { toolMappings: [], warnings: [] },
    { restore: { tool: 'context_restore' } },
  )
  const engine = maker.make([], { cwd: '/project', model })
  let previous: RequestRead<readonly unknown[]> | undefined
  let since: Anchor | undefined
  let at = resumedAt
  return {
    async beforeRequest(messages) {
      const start = performance.now()
      const read = opencode.read(messages, previous)
      const readAt = performance.now()
      const anchor =
        since === undefined ? undefined : { ...since, length: Math.min(since.length, read.shared) }
      const decided = engine.request(read.messages, anchor, { at, model })
      const decidedAt = performance.now()
      if (read.problem !== null) throw new Error(read.problem.message)
      if (decided.fault !== null) throw decided.fault
      const { source } = opencode.rewrite(read, decided.changes)
      if (validates && source !== messages) assertValid(messages, source)
      applyInPlace(messages, source)
      previous = read
      since = decided.anchor
      at += betweenRequests
      onRequest?.({
        readMs: readAt - start,
        engineMs: decidedAt - readAt,
        rewriteMs: performance.now() - decidedAt,
        changes: decided.changes.length,
      })
    },
  }
}

function assertValid(before: readonly unknown[], after: readonly unknown[]): void {
  const [broken] = [...opencode.validate(after), ...opencode.validateChange(before, after)]
  if (broken !== undefined) throw new Error(`${broken.rule} at ${broken.where}: ${broken.message}`)
}
