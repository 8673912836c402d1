import { apiPaths } from '../../../src/dashboard/types.ts'
import { report, token } from '../data/api.ts'
import { isLive, status } from '../data/live.ts'
import { linkTo, place } from '../data/route.ts'
import { chooseTheme, chosenTheme, type ThemeChoice } from '../data/theme.ts'
import { PauseSwitch } from './pause.tsx'

const views = [
  ['', 'Overview'],
  ['sessions', 'Sessions'],
  ['memory', 'Memory'],
  ['compare', 'Compare'],
  ['settings', 'Settings'],
] as const

/** The name, the views, the switch that pauses pruning, and the theme. */
export function Header() {
  const current = place.value.path[0] ?? ''
  const shown = views.filter(([name]) => isInReport(name))
  return (
    <header class="top">
      <a class="brand" href={linkTo([])}>
        <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
          <rect width="32" height="32" rx="7" class="logo-ground" />
          <path d="M8 10h16M8 22h10" class="logo-line" />
          <path d="M7 16h18" class="logo-struck" />
        </svg>
        <span>Palimpsest</span>
      </a>
      <nav aria-label="Views">
        {shown.map(([name, label]) => (
          <a
            key={name}
            href={linkTo(name === '' ? [] : [name])}
            aria-current={current === name ? 'page' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <div class="top-tools">
        <Connection />
        <PauseSwitch />
        <ThemeButton />
      </div>
    </header>
  )
}

/** A report has no memory and no settings, and an overview only of a whole store. */
function isInReport(name: string): boolean {
  const answers = report.value?.answers
  if (answers === undefined || name === 'sessions') return true
  return name === '' && answers[apiPaths.overview('all')] !== undefined
}

function Connection() {
  if (report.value !== null) return <span class="badge">Report</span>
  if (status.value === null) return null
  const writes = token.value === null ? 'read-only' : 'can change'
  return (
    <span class={isLive.value ? 'badge live' : 'badge'} title={`This page is ${writes}`}>
      {isLive.value ? 'Live' : 'Offline'}
      {token.value === null && ' · read-only'}
    </span>
  )
}

const nextTheme: Readonly<Record<ThemeChoice, ThemeChoice>> = {
  auto: 'light',
  light: 'dark',
  dark: 'auto',
}
const themeNames: Readonly<Record<ThemeChoice, string>> = {
  auto: 'Auto',
  light: 'Light',
  dark: 'Dark',
}

function ThemeButton() {
  const choice = chosenTheme.value
  return (
    <button
      type="button"
      class="button small"
      aria-label={`Theme: ${themeNames[choice]}. Change it.`}
      onClick={() => chooseTheme(nextTheme[choice])}
    >
      {themeNames[choice]}
    </button>
  )
}
