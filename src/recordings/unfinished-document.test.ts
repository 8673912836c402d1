import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completeUnfinished } from './unfinished-document.ts'

describe('a document that breaks off', () => {
  it('keeps what is whole and leaves out what is half written', () => {
    const text =
      '{"info":{"id":"s"},"messages":[{"n":1},{"n":2,"parts":[{"text":"a}\\"]"},{"text":"br'
    expect(completeUnfinished(text)).toEqual({
      info: { id: 's' },
      messages: [{ n: 1 }, { n: 2, parts: [{ text: 'a}"]' }] }],
    })
  })

  it('gives nothing where nothing is whole or the brackets do not match', () => {
    expect(completeUnfinished('{"messages":[{"text":"a')).toBeUndefined()
    expect(completeUnfinished('{"a":[1}')).toBeUndefined()
    expect(completeUnfinished('')).toBeUndefined()
  })

  it('never throws, and what it gives of a cut document is made of its own values', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.nat(), (values, cut) => {
        const text = JSON.stringify({ values: values.map((value) => [value]) })
        const kept = completeUnfinished(text.slice(0, cut % text.length))
        if (kept === undefined) return
        const whole = (kept as { values: unknown[] }).values.slice(0, -1)
        expect(whole).toEqual(JSON.parse(text).values.slice(0, whole.length))
      }),
    )
    fc.assert(fc.property(fc.string(), (text) => void completeUnfinished(`{${text}`)))
  })
})
