import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleOperation } from '../../../test/core/sample-operation.ts'
import type { Rendition } from '../words/decision.ts'
import { noteOf, ownText } from './input-note.ts'
import { strippedInput } from './stripped-input.ts'

const rendered = (input: string): Rendition | null =>
  strippedInput(sampleOperation({ action: { kind: 'other' }, input }), 'context_restore')
/** What is left of an input; where the rest is, is said elsewhere. */
const strip = (input: string): string | null => {
  const rendition = rendered(input)
  if (rendition === null) return null
  expect(noteOf(rendition)).toBe('[input left out · context_restore c0ffee]')
  return ownText(rendition)
}
/** The same of an object that has more than is shown here. */
const stripJson = (input: object): unknown => {
  const stripped = strip(JSON.stringify({ ...input, body: long }))
  return stripped === null ? null : JSON.parse(stripped)
}

const long = 'x'.repeat(400)

describe('strippedInput', () => {
  it('leaves the content of a write out and keeps its path', () => {
    expect(stripJson({ filePath: 'x.txt', content: 'A'.repeat(5000) })).toEqual({
      filePath: 'x.txt',
    })
  })

  it('keeps an edit’s path, flags and intent and leaves the texts out, however short', () => {
    expect(
      stripJson({
        file_path: 'core/agent.py',
        old_str: 'a',
        new_str: 'b',
        replace_all: true,
        intent: long.slice(0, 150),
      }),
    ).toEqual({ file_path: 'core/agent.py', replace_all: true, intent: long.slice(0, 150) })
  })

  it('leaves lists of edits and of tasks out', () => {
    expect(stripJson({ path: 'a', edits: [{ oldText: 'a', newText: 'b' }] })).toEqual({ path: 'a' })
    expect(stripJson({ todos: [{ content: 'a', status: 'pending' }] })).toEqual({})
  })

  it('cuts a command at 100 characters, also inside a list of arguments', () => {
    const cut = `${'x'.repeat(99)}…`
    expect(stripJson({ command: long, description: 'Run it', timeout: 5 })).toEqual({
      command: cut,
      description: 'Run it',
      timeout: 5,
    })
    expect(stripJson({ command: ['bash', '-lc', long] })).toEqual({ command: ['bash', '-lc', cut] })
  })

  it('keeps a long path whole, and cuts a text that only stands under a path’s key', () => {
    const path = `${'deep/'.repeat(30)}a.ts`
    expect(stripJson({ path, content: 'x' })).toEqual({ path })
    expect(stripJson({ source: `${long}\n`, cell_id: '3' })).toEqual({
      source: `${'x'.repeat(99)}…`,
      cell_id: '3',
    })
  })

  it('leaves out nested values that are long, and keeps short ones', () => {
    const many = Array.from({ length: 100 }, (_, index) => `file-${index}.ts`)
    expect(stripJson({ files: many, options: { deep: true, content: long } })).toEqual({
      options: { deep: true },
    })
  })

  it('adds no key of its own, and stays when with its note it is no shorter', () => {
    const input = JSON.stringify({ filePath: 'x.txt', content: long })
    expect(strip(input)).toBe('{"filePath":"x.txt"}')
    expect(strip(JSON.stringify({ content: long }))).toBe('{}')
    expect(strip(JSON.stringify({ filePath: 'x.txt', content: 'short' }))).toBeNull()
  })

  it('says that nothing is saved where there is nothing to leave out', () => {
    expect(strip('{ "path" : "a.ts",  "offset": 1 }')).toBeNull()
    expect(strip('{}')).toBeNull()
    expect(strip('')).toBeNull()
  })

  it('keeps the file headers of a patch', () => {
    const patch = [
      '*** Begin Patch',
      '*** Update File: src/a.ts',
      '*** Move to: src/b.ts',
      '@@',
      '-*** Begin Patch',
      '-old',
      `+${long}`,
      '*** Add File: c.ts',
      '+text',
      '*** End Patch',
    ].join('\n')
    expect(strip(patch)).toBe(
      '*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: src/b.ts\n*** Add File: c.ts\n*** End Patch',
    )
  })

  it('keeps the file headers of a patch that is a field', () => {
    const patchText =
      '*** Begin Patch\n*** Delete File: a.ts\n*** Update File: b.ts\n@@\n-x\n+y\n*** End Patch'
    expect(stripJson({ patchText })).toEqual({
      patchText: '*** Begin Patch\n*** Delete File: a.ts\n*** Update File: b.ts\n*** End Patch',
    })
  })

  it('keeps the file headers of a unified diff, and no removed line that looks like one', () => {
    const diff = `--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,1 @@\n--- comment\n ${long}\n`
    expect(strip(diff)).toBe('--- a/x.sql\n+++ b/x.sql')
  })

  it('cuts any other text of a tool, and leaves JSON alone that is not whole', () => {
    expect(strip(long)).toBe(`${'x'.repeat(99)}…`)
    expect(strip(`{"path":"a","content":"${long}`)).toBeNull()
    expect(strip(JSON.stringify([long]))).toBeNull()
    expect(strip(JSON.stringify(long))).toBeNull()
  })

  it('gives a JSON object for a JSON object, always shorter, and nothing more to strip', () => {
    const json = fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom('content', 'path', 'command', '__proto__')),
      fc.oneof(fc.jsonValue(), fc.string({ maxLength: 400, unit: 'grapheme' })),
    )
    fc.assert(
      fc.property(json, (value) => {
        const input = JSON.stringify(value)
        const stripped = strip(input)
        if (stripped === null) return
        expect(rendered(input)?.text?.length).toBeLessThan(input.length)
        expect(Object.keys(value)).toEqual(
          expect.arrayContaining(Object.keys(JSON.parse(stripped) as object)),
        )
        expect(stripped).not.toMatch(/\p{Surrogate}/u)
        expect(strip(stripped)).toBeNull()
      }),
    )
  })
})
