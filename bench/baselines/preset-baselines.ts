import type { Config } from '../../src/config/config.ts'

/** Another tool's policy that one of our presets implements as documented; `engineTrace` runs it. */
export interface PresetBaseline {
  readonly name: string
  readonly source: string
  readonly parameters: string
  readonly config: Config
}

export const presetBaselines: readonly PresetBaseline[] = [
  {
    name: 'acp-documented',
    source: 'ACP, architecture reference and auto-supersede system, as documented',
    parameters: 'preset acp, eager: one-file-one-view and all ten strategies',
    config: { preset: 'acp', schedule: 'eager', toolMappings: [], warnings: [] },
  },
  {
    name: 'smart-tool-history',
    source: 'Smart Tool History, as proposed',
    parameters:
      'preset history, eager: first and last read with samples, shell output over 10,000 characters cut to 2,000 + 2,000',
    config: { preset: 'history', schedule: 'eager', toolMappings: [], warnings: [] },
  },
]
