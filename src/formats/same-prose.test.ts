import { expect, it } from 'vitest'
import { sameProse } from './same-prose.ts'

const message = (code: string, prose = 'why does this fail?'): string =>
  `Look:\n\`\`\`ts\n${code}\n\`\`\`\n${prose}`

it('lets pasted code become shorter, and nothing else', () => {
  const before = message('one()\ntwo()\nthree()')
  expect(sameProse(before, before)).toBe(true)
  expect(sameProse(before, message('one()\n…'))).toBe(true)
  expect(sameProse(before, message('one()\ntwo()\nthree()\nfour()'))).toBe(false)
  expect(sameProse(before, message('one()', 'why?'))).toBe(false)
  expect(sameProse('no code here', 'no code')).toBe(false)
  expect(sameProse('text', null)).toBe(false)
})
