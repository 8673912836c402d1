import { render } from 'preact'
import { apiPaths, type SessionList } from '../../src/dashboard/types.ts'
import { App } from './app.tsx'
import { openReport, report, takeToken } from './data/api.ts'
import { followEvents, keepTime, readStatus } from './data/live.ts'
import { linkTo, place, readPlace } from './data/route.ts'
import './styles/base.css'
import './styles/parts.css'
import './styles/views.css'

async function start(): Promise<void> {
  takeToken()
  readPlace()
  await openReport()
  openFirstView()
  const root = document.getElementById('app')
  if (root === null) return
  root.replaceChildren()
  render(<App />, root)
  keepTime()
  await readStatus()
  if (report.value === null) void followEvents(new AbortController().signal)
}

/** A report opens at its only session, or at the list of its sessions. */
function openFirstView(): void {
  if (report.value === null || place.value.path.length > 0) return
  const list = report.value.answers[apiPaths.sessions()] as SessionList | undefined
  const [only, ...others] = list?.sessions ?? []
  const isOnly = only !== undefined && others.length === 0
  if (!isOnly && report.value.answers[apiPaths.overview('all')] !== undefined) return
  history.replaceState(null, '', linkTo(isOnly ? ['sessions', only.key] : ['sessions']))
  readPlace()
}

void start()
