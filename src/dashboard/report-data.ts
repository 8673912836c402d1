import type { Dashboard } from './dashboard.ts'
import {
  apiPaths,
  type DashboardStatus,
  type FileList,
  type Overview,
  type ReportData,
  type SessionDetail,
  type SessionList,
} from './types.ts'

export interface ReportOptions {
  /** Keys of the sessions to include. */
  readonly keys: readonly string[]
  /** Whether each session is run again under every policy, which takes seconds. */
  readonly compares: boolean
  /** Originals are included until they have this many characters together. */
  readonly mostCharacters: number
  /** Called before each session is read. */
  onSession?(done: number): void
}

/** Asks the dashboard everything that its page would ask about these sessions, and keeps the answers. */
export async function reportData(
  dashboard: Dashboard,
  { keys, compares, mostCharacters, onSession }: ReportOptions,
): Promise<ReportData> {
  const answers: Record<string, unknown> = {}
  const keep = async <Answer>(path: string): Promise<Answer> => {
    const answer = (await dashboard.answer(path)) as Answer
    answers[path] = answer
    return answer
  }
  const status: DashboardStatus = await dashboard.status()
  answers[apiPaths.status()] = {
    ...status,
    mode: 'report',
    startedAt: status.now,
    pause: { all: false, sessions: [] },
  }
  const { sessions } = (await dashboard.answer(apiPaths.sessions())) as SessionList
  answers[apiPaths.sessions()] = { sessions: sessions.filter(({ key }) => keys.includes(key)) }
  for (const range of ['week', 'month', 'all'] as const) {
    const overview = (await dashboard.answer(apiPaths.overview(range))) as Overview
    // Sums are over the whole store, so that they belong to a report on all of it only.
    if (overview.totals.requests + overview.totals.outputs > 0 && keys.length === sessions.length)
      answers[apiPaths.overview(range)] = overview
  }
  let characters = 0
  for (const [done, key] of keys.entries()) {
    onSession?.(done)
    const { itemList } = await keep<SessionDetail>(apiPaths.session(key))
    for (const { handle } of itemList) {
      if (characters > mostCharacters) break
      const { text } = await keep<{ readonly text: string }>(apiPaths.item(key, handle))
      characters += text.length
    }
    const { files } = await keep<FileList>(apiPaths.files(key))
    for (const { path, events } of files) {
      for (const turn of new Set(events.map((event) => event.turn))) {
        if (characters > mostCharacters) break
        const { lines } = await keep<{ readonly lines: readonly (string | null)[] }>(
          apiPaths.file(key, path, turn),
        )
        characters += lines.reduce((sum, line) => sum + (line?.length ?? 0), 0)
      }
    }
    await keep(apiPaths.money(key))
    if (compares) await keep(apiPaths.compareSession(key))
  }
  return { kind: 'palimpsest report', answers }
}
