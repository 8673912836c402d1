import { expect, it } from 'vitest'
import { releasedChangelog } from '../../scripts/released-changelog.mjs'

const release = { version: '0.2.0', today: '2026-12-01' }
const head = '# Changelog\n\nAll notable changes.\n\n'

it('moves what is unreleased under the version, and leaves the rest as it is', () => {
  const older = '\n## [0.1.0] - 2026-01-01\n\n### Added\n\n- One.\n'
  const { changelog, notes } = releasedChangelog(
    `${head}## [Unreleased]\n\n### Fixed\n\n- Two.\n${older}`,
    release,
  )
  expect(changelog).toBe(
    `${head}## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Fixed\n\n- Two.\n${older}`,
  )
  expect(notes).toBe('### Fixed\n\n- Two.')
})

it('has no notes when nothing is unreleased', () => {
  const changelog = `${head}## [Unreleased]\n\n## [0.1.0] - 2026-01-01\n\n- One.\n`
  expect(releasedChangelog(changelog, release).notes).toBe('')
  expect(releasedChangelog(head, release)).toEqual({ changelog: head, notes: '' })
})
