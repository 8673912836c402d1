import { expect, it } from 'vitest'
import { keepRecent30 } from './keep-recent-results.ts'
import { resultTexts, showScript, step } from './scripted-requests.ts'

it('keep_recent_tool_results(30) drops every result but the newest thirty, edits too', () => {
  const script = [
    { user: 'go' },
    ...Array.from({ length: 33 }, (_, index) =>
      step(index % 2 ? 'edit_file' : 'read_file', `${index}`),
    ),
  ]
  const views = showScript(keepRecent30, script)
  expect(resultTexts(views[30])).toEqual(Array.from({ length: 30 }, (_, index) => `${index}`))
  expect(resultTexts(views.at(-1))).toEqual([
    '[dropped]',
    '[dropped]',
    '[dropped]',
    ...Array.from({ length: 30 }, (_, index) => `${index + 3}`),
  ])
})
