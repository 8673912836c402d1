import type { Settings } from '../core/words/settings.ts'

/** Settings whose manual mode a person can switch while the host runs. */
export interface ManualMode {
  readonly settings: Settings
  isOn(): boolean
  switch(state: 'on' | 'off'): void
}

/** Everything that reads the settings sees the switch, because it asks them anew each time. */
export function createManualMode(configured: Settings): ManualMode {
  let manualMode = configured.manualMode
  const settings: Settings = Object.defineProperty({ ...configured }, 'manualMode', {
    get: () => manualMode,
    enumerable: true,
  })
  return {
    settings,
    isOn: () => manualMode.enabled && !manualMode.automaticStrategies,
    switch(state) {
      manualMode =
        state === 'on'
          ? { enabled: true, automaticStrategies: false }
          : { enabled: false, automaticStrategies: true }
    },
  }
}
