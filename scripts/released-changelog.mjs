/** Turns [Unreleased] of a changelog into a version. The notes are what stood there; empty when nothing did. */
export function releasedChangelog(changelog, { version, today }) {
  const heading = '## [Unreleased]\n'
  const start = changelog.indexOf(heading)
  if (start === -1) return { changelog, notes: '' }
  const from = start + heading.length
  const next = changelog.indexOf('\n## [', from)
  const end = next === -1 ? changelog.length : next
  const notes = changelog.slice(from, end).trim()
  const released = `${heading}\n## [${version}] - ${today}\n\n${notes}\n`
  return { changelog: changelog.slice(0, start) + released + changelog.slice(end), notes }
}
