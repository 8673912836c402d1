import { createReadStream } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { comparisonOf } from '../../src/dashboard/comparison.ts'
import { readRecording } from '../../src/recordings/index.ts'
import { finish } from '../../src/replay/work.ts'
import { projectRoot } from '../model/project-root.ts'

it('compares presets by dollars, and by what the agent could see of the text that it edited', async () => {
  const file = path.join(projectRoot, 'examples', 'sample-session.json')
  const { recordings } = await readRecording(createReadStream(file))
  const config = { toolMappings: [], warnings: [] }
  const { variants, sessions } = finish(comparisonOf(recordings, 'the sample', { config }))
  expect(sessions).toBe(1)
  const current = variants.filter(({ isCurrent }) => isCurrent)
  expect(current).toMatchObject([{ preset: 'balanced', schedule: 'economic' }])
  for (const { preset, dollars, evidence } of variants) {
    expect(dollars.without, preset).toBeGreaterThan(0)
    expect(evidence?.needed, preset).toBeGreaterThan(3)
    expect(evidence?.visible, preset).toBeLessThanOrEqual(evidence?.needed ?? 0)
  }
  expect(current[0]?.evidence?.visible).toBe(current[0]?.evidence?.needed)
  expect(current[0]?.dollars.with).toBeLessThan(current[0]?.dollars.without ?? 0)
})
