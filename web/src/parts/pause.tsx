import { setPaused } from '../data/actions.ts'
import { report, token } from '../data/api.ts'
import { status } from '../data/live.ts'
import { place } from '../data/route.ts'

const readOnly = 'Open the address that `palimpsest serve` prints to change this: it has the token.'

/** Pauses pruning for everything. */
export function PauseSwitch() {
  const pause = status.value?.pause
  if (pause === undefined || report.value !== null) return null
  return <Switch label="Pruning" isPaused={pause.all} set={(paused) => void setPaused(paused)} />
}

/** Pauses pruning of one session. */
export function SessionPauseSwitch({ session }: { readonly session: string }) {
  const pause = status.value?.pause
  if (pause === undefined || report.value !== null) return null
  return (
    <Switch
      label="This session: pruning"
      isPaused={pause.all || pause.sessions.includes(session)}
      isFixed={pause.all}
      set={(paused) => void setPaused(paused, session)}
    />
  )
}

interface SwitchProps {
  readonly label: string
  readonly isPaused: boolean
  readonly isFixed?: boolean
  set(paused: boolean): void
}

function Switch({ label, isPaused, isFixed = false, set }: SwitchProps) {
  const isReadOnly = token.value === null
  return (
    <button
      type="button"
      role="switch"
      class="switch"
      aria-checked={!isPaused}
      disabled={isReadOnly || isFixed}
      title={isReadOnly ? readOnly : isFixed ? 'Pruning is paused for everything.' : undefined}
      onClick={() => set(!isPaused)}
    >
      <span class="switch-track" aria-hidden="true" />
      <span>
        {label} {isPaused ? 'paused' : 'on'}
      </span>
    </button>
  )
}

/** Shows in every view that pruning is paused. */
export function PauseBanner() {
  const pause = status.value?.pause
  const { path } = place.value
  if (pause === undefined) return null
  const isHere = path[0] === 'sessions' && path[1] !== undefined && pause.sessions.includes(path[1])
  const text = textOf(pause.all, isHere, pause.sessions.length)
  if (text === null) return null
  return (
    <p class={pause.all || isHere ? 'pause-banner' : 'pause-banner quiet'} role="status">
      {text}
    </p>
  )
}

function textOf(isAll: boolean, isHere: boolean, sessions: number): string | null {
  if (isAll) return 'Pruning is paused for everything. Requests go out as the agents send them.'
  if (isHere) return 'Pruning is paused for this session. Its requests go out unchanged.'
  if (sessions === 0) return null
  return `Pruning is paused for ${sessions === 1 ? 'one session' : `${sessions} sessions`}.`
}
