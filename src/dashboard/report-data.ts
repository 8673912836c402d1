import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { withoutSecretsIn } from '../core/words/secrets.ts'
import type { Dashboard } from './dashboard.ts'
import { openPageFiles } from './page-files.ts'
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
  /** Whether to replay each session under every policy, which takes seconds. */
  readonly compares: boolean
  /** Originals are included until they have this many characters together. */
  readonly mostCharacters: number
  /** Called before each session is read. */
  onSession?(done: number): void
}

/** Collects the answers to everything that the dashboard's page would ask about these sessions. */
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
    // Sums are over the whole store, so only a report on all of it has them.
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

/**
 * A report as one HTML file that opens without a server.
 *
 * It contains no inline script. The page's script is a `data:` address with an integrity hash, and the policy allows that
 * hash only, so that the browser runs this very script and nothing else. The data are gzip as base64 in a block that is not
 * run, so that nothing a session contains can be taken for markup.
 */
export function reportFile(data: ReportData): string {
  const files = openPageFiles()
  const script = files.read(files.script) ?? Buffer.alloc(0)
  const styles = (files.read(files.styles) ?? Buffer.alloc(0)).toString('utf8')
  const hashes = { script: sha256(script), styles: sha256(Buffer.from(styles)) }
  const policy = [
    "default-src 'none'",
    `script-src '${hashes.script}'`,
    `style-src '${hashes.styles}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
  const packed = gzipSync(JSON.stringify(withoutSecretsIn(data)), { level: 9 }).toString('base64')
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="referrer" content="no-referrer" />
    <meta name="color-scheme" content="light dark" />
    <title>Palimpsest report</title>
    <link rel="icon" href="data:," />
    <style>${styles}</style>
  </head>
  <body>
    <div id="app"><p class="boot">Loading the report… It needs a browser that runs scripts.</p></div>
    <script type="application/octet-stream" id="report-data">${packed}</script>
    <script type="module" crossorigin="anonymous" integrity="${hashes.script}" src="data:text/javascript;base64,${script.toString('base64')}"></script>
  </body>
</html>
`
}

function sha256(content: Buffer): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`
}
