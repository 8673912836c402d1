import { describe, expect, it } from 'vitest'
import { bodyFormats } from '../../src/formats/index.ts'
import { modelFamily } from '../../src/formats/model-family.ts'
import { clientRequests } from './client-requests.ts'

describe.each(clientRequests)('a request of $client', ({ format, model, body }) => {
  const options = model === undefined ? {} : { model }
  const source = JSON.stringify(body)

  it('breaks no rule', () => {
    expect(bodyFormats[format].validate(source, options)).toEqual([])
  })

  it('may stay as it is', () => {
    expect(bodyFormats[format].validateChange(source, source, options)).toEqual([])
  })

  it('keeps every rule when any result of a tool is shown differently', () => {
    const read = bodyFormats[format].read(source)
    const isBound = modelFamily(model ?? read.model ?? '').bindsReasoning
    for (const [index, message] of read.messages.entries()) {
      for (const [item, { kind, opaque }] of message.items.entries()) {
        if (kind !== 'result' || opaque === true) continue
        const change = { message: index, item, text: '—' }
        const { source: after, refused } = bodyFormats[format].rewrite(read, [change])
        expect(refused).toEqual([])
        expect(after).not.toBe(source)
        const found = bodyFormats[format].validateChange(source, after, options)
        const expected = isBound ? ['anthropic/prefix-changed'] : []
        expect(expected).toEqual(expect.arrayContaining(found.map(({ rule }) => rule)))
        expect(bodyFormats[format].validate(after, options)).toEqual([])
      }
    }
  })

  it('breaks a rule as soon as what it says last is left hanging', () => {
    const orphaned = source
      .replaceAll(/"tool_use_id":"\w+"/g, '"tool_use_id":"gone"')
      .replaceAll(/"tool_call_id":"\w+"/g, '"tool_call_id":"gone"')
      .replaceAll(/"type":"(function|custom_tool)_call_output","call_id":"\w+"/g, (whole) =>
        whole.replace(/"call_id":"\w+"/, '"call_id":"gone"'),
      )
      .replaceAll('"functionResponse"', '"functionAnswer"')
    const isStored = source.includes('item_reference')
    const hasTools = orphaned !== source && !isStored
    const found = bodyFormats[format].validate(orphaned, options)
    expect(found.length > 0).toBe(hasTools)
  })
})
