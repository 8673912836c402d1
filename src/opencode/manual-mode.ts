import type { Settings } from '../core/words/settings.ts'

/** Settings whose manual mode the user can switch while the host runs. */
export interface ManualMode {
  readonly settings: Settings
  isOn(): boolean
  switch(state: 'on' | 'off'): void
}

/** `manualMode` is a getter, so everything that reads the settings sees the switch. */
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
