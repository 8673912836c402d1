import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { notice } from './data/actions.ts'
import { report } from './data/api.ts'
import { status } from './data/live.ts'
import { linkTo, place } from './data/route.ts'
import { theme } from './data/theme.ts'
import { Header } from './parts/header.tsx'
import { PauseBanner } from './parts/pause.tsx'
import { Empty } from './parts/states.tsx'
import { CompareView } from './views/compare.tsx'
import { MemoryView } from './views/memory.tsx'
import { Overview } from './views/overview.tsx'
import { SessionView } from './views/session/session.tsx'
import { Sessions } from './views/sessions.tsx'
import { SettingsView } from './views/settings.tsx'

effect(() => {
  document.documentElement.dataset.theme = theme.value
})

export function App() {
  const { path } = place.value
  const main = useRef<HTMLElement>(null)
  const name = path[0] ?? 'overview'
  const where = path.slice(0, 2).join('/')
  useEffect(() => {
    document.title = `${titles[name] ?? 'Not found'} · Palimpsest`
    window.scrollTo(0, 0)
  }, [where, name])
  return (
    <>
      <button type="button" class="button skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Header />
      <PauseBanner />
      <main id="main" ref={main} tabIndex={-1}>
        <View />
      </main>
      <Notice />
      <footer class="page-foot">
        {report.value === null ? 'Palimpsest' : 'Written by palimpsest report'}{' '}
        {status.value?.version}
        {status.value !== null && <span class="muted"> · {status.value.store}</span>}
      </footer>
    </>
  )
}

const titles: Readonly<Record<string, string>> = {
  overview: 'Overview',
  sessions: 'Sessions',
  memory: 'Memory',
  compare: 'Compare',
  settings: 'Settings',
}

function View() {
  const { path } = place.value
  const [name = 'overview', key] = path
  switch (name) {
    case 'overview':
      return <Overview />
    case 'sessions':
      return key === undefined ? <Sessions /> : <SessionView key={key} session={key} />
    case 'memory':
      return <MemoryView />
    case 'compare':
      return <CompareView />
    case 'settings':
      return <SettingsView />
    default:
      return (
        <Empty title="There is no such page">
          <p>
            <a href={linkTo([])}>Go to the overview</a>
          </p>
        </Empty>
      )
  }
}

/** The outcome of the last action. It stays until it is closed, or for eight seconds. */
function Notice() {
  const said = notice.value
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => {
      notice.value = null
    }, 8000)
    return () => clearTimeout(timer)
  }, [said])
  return (
    <div class="notice-place" role="status" aria-live="polite">
      {said !== null && (
        <div class={said.ok ? 'notice' : 'notice bad'}>
          <span>{said.message}</span>
          <button
            type="button"
            class="button small"
            onClick={() => {
              notice.value = null
            }}
          >
            Close
          </button>
        </div>
      )}
    </div>
  )
}
