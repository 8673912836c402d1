import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleOperation } from '../../../test/core/sample-operation.ts'
import type { Action } from '../words/action.ts'
import type { Reason } from '../words/decision.ts'
import type { Operation } from '../words/operation.ts'
import { withNote } from './input-note.ts'
import * as marks from './marks.ts'
import {
  briefReasons,
  claimsIn,
  endsInNote,
  hasCutLine,
  inputNote,
  isDigest,
  isHandleLine,
  lacksText,
  showsNoContent,
} from './marks.ts'
import { placeholderFor, pointerTo, purgedError, rereadPointer } from './placeholders.ts'

const reasons = Object.keys(briefReasons) as readonly Reason[]
const actions: readonly Action[] = [
  { kind: 'read', path: 'src/app.ts', lines: null },
  { kind: 'search', pattern: '[a-z] [', path: 'src', include: null },
  { kind: 'list', op: 'write', tasks: [] },
  { kind: 'other' },
]
const handle = fc.stringMatching(/^[0-9a-f]{6,8}$/)

function withHandle(operation: Operation, handle: string): Operation {
  const { result } = operation
  return result === null ? operation : { ...operation, result: { ...result, handle } }
}

describe('a line that says where something is', () => {
  it('is every placeholder and pointer, however short the original was', () => {
    const some = fc.record({
      handle,
      action: fc.constantFrom(...actions),
      by: fc.option(fc.constantFrom(...actions)),
      reason: fc.constantFrom(...reasons),
      length: fc.integer({ min: 12, max: 200 }),
      turn: fc.integer({ min: 1, max: 2000 }),
      restore: fc.constantFrom(null, 'context_restore', "'/home/a b/restore'", 'fetch_original'),
      isStripped: fc.boolean(),
    })
    fc.assert(
      fc.property(some, ({ handle, action, by, reason, length, turn, restore, isStripped }) => {
        const text = 'x'.repeat(length)
        const older = withHandle(sampleOperation({ action, turn, output: text }), handle)
        const newer = by === null ? null : sampleOperation({ action: by, turn: turn + 1 })
        const written = [
          placeholderFor(older, newer, reason, { handle, restore }),
          pointerTo(older, { text, handle }, restore),
          rereadPointer('src/my file.ts', text, { handle, restore }),
          purgedError(older, restore),
        ]
          .filter((each) => each !== null)
          .map((each) => (isStripped ? withNote(each, inputNote.write('a1b2c3')) : each))
        expect(written.filter((each) => !showsNoContent(each))).toEqual([])
      }),
    )
  })

  it.each([
    '[a1b2c3]',
    '[replaced · a1b2c3]',
    '[same output as in above, result e3f1a2 · a1b2c3]',
    '[same output as in `npm test` above, result e3f1a2 · context_restore a1b2c3]',
    '[same file lines as in `read a [b].ts lines 1–9` above, result e3f1a2 · palimpsest restore a1b2c3]',
    '[Re-read of src/a b.ts - see earlier read for content] [a1b2c3]',
    '[$ npm test · old output · mcp__palimpsest__context_restore a1b2c3]',
    '[$ npm test · old output · palimpsest restore a1b2c3]',
    '[lookup · repeated later · restore a1b2c3]',
    '[lookup · repeated at turn 2 · restore a1b2c3]',
    '[image/png a1b2c3]',
    '[image/png, 34 KB · /home/a/restore a1b2c3]',
    '[read a.ts · replaced by a later edit · a1b2c3]',
    "[$ npm test · old output · '/home/a b/restore' a1b2c3]",
    '[write a.ts · replaced by a later edit · a1b2c3]\n[input left out · d4e5f6]',
    '[Old tool result content cleared]',
  ])('is known in all the words that doors put it in: %s', (text) => {
    expect(showsNoContent(text)).toBe(true)
  })

  it.each([
    '[100001, 100003]',
    '[100001, 100002, 123456]',
    '[main deadbee]',
    '[main 1a2b3c4]',
    '[build failed · 123456]',
    '[done 123456]',
    '["a", "b" 123456]',
    'replaced · a1b2c3',
    '[replaced · a1b2c3] and more',
    '[replaced · a1b2c3]\n',
  ])('is not what a tool says: %s', (text) => {
    expect(showsNoContent(text)).toBe(false)
  })
})

type Recognise = (text: string) => boolean

interface Sample {
  readonly handle: string
  readonly hint: string
  readonly what: string
  readonly count: number
  readonly reason: Reason
}

/** What each mark writes, and what has to recognise it. */
const written: Readonly<
  Record<string, (sample: Sample) => readonly (readonly [Recognise, ...string[]])[]>
> = {
  bareHandle: ({ handle }) => [[isHandleLine, marks.bareHandle.write(handle)]],
  placeholder: ({ hint, what, reason }) =>
    [null, 'edit', 'file search'].map((newer) => [
      // No result is replaced because of its input, and alone that reason reads as an input's note.
      (text) => isHandleLine(text) || (reason === 'input' && endsInNote(text)),
      marks.placeholder.write(what, marks.placeholder.why(reason, newer), hint),
      marks.placeholder.write('', marks.placeholder.why(reason, newer), hint),
    ]),
  pointer: ({ hint, what }) =>
    (['output', 'lines'] as const).map((kind) => [
      (text) => isHandleLine(text) && claimsIn(text)[0]?.handle === 'e3f1a2',
      marks.pointer.write(kind, { call: what, part: 'result', handle: 'e3f1a2' }, hint),
      marks.pointer.write(kind, { call: '', part: 'result', handle: 'e3f1a2' }, hint),
    ]),
  reread: ({ hint, what }) => [[isHandleLine, marks.reread.write(what, hint)]],
  failure: ({ hint, what }) => [
    [
      isHandleLine,
      marks.failure.write(what, marks.failure.said('not found'), hint),
      marks.failure.write('', marks.failure.said(''), hint),
    ],
  ],
  attachment: ({ handle, hint }) => [
    [
      isHandleLine,
      marks.attachment.write('image/png, 34 KB', hint),
      marks.attachment.writeMasked('attachment', hint),
      marks.attachment.writeBriefly('image/png', handle),
    ],
  ],
  cutMark: ({ hint, count }) => [
    [
      (text) => hasCutLine(text) && isDigest(text),
      marks.cutMark.fold(1, count, hint, true),
      marks.cutMark.fold(1, count, hint, false),
      marks.cutMark.write(
        marks.cutMark.leftOut(count, 'output lines'),
        marks.cutMark.alike(count, 'a row'),
        marks.cutMark.leftOutNames(['a'], 2),
        hint,
      ),
    ],
    [isDigest, marks.cutMark.write(marks.cutMark.leftOutNames(['a.ts'], 0))],
  ],
  linesElsewhere: ({ hint, count, what }) => [
    [
      (text) =>
        hasCutLine(text) &&
        marks.linesElsewhere.isStartOf(text) &&
        JSON.stringify(claimsIn(text)) ===
          JSON.stringify([{ handle: 'e3f1a2', lines: { first: 3, last: 3 + count } }]),
      ...[null, 3, 8].flatMap((there) =>
        [hint, null].map((hint) =>
          marks.linesElsewhere.write({
            first: 3,
            last: 3 + count,
            there,
            source: { call: what, part: 'input', handle: 'e3f1a2' },
            hint,
          }),
        ),
      ),
    ],
  ],
  middleLines: ({ hint, count }) => [[hasCutLine, marks.middleLines.write(count, hint)]],
  truncated: ({ hint, count }) => [[hasCutLine, marks.truncated.write(count * 40, count, hint)]],
  fileView: ({ hint, what }) => [
    [
      hasCutLine,
      marks.fileView.write(what, null, hint),
      marks.fileView.write(what, { name: 'edit', handle: 'e3f1a2' }, hint),
    ],
  ],
  removedLines: ({ hint, count }) => [
    [
      (text) => lacksText(text) && marks.removedLines.isIn(text, hint),
      marks.removedLines.write(count, hint),
      `*** Update File: a.ts\n${marks.removedLines.write(1, hint)}\n+new`,
      JSON.stringify({ patch: `@@\n${marks.removedLines.write(count, hint)}` }),
    ],
  ],
  inputNote: ({ hint }) => [
    [endsInNote, inputNote.write(hint), `Done.\n${inputNote.writeReplacedText(hint)}`],
  ],
  editList: ({ hint, what, count }) => [
    [
      (text) => endsInNote(text) && marks.withoutNote(text) === 'Done.',
      ['Done.', marks.editList.head(what, count, 1, 9), '- a', marks.editList.foot(hint)].join(
        '\n',
      ),
    ],
  ],
}

describe('what a mark writes', () => {
  const names = Object.entries(marks)
    .filter(([, mark]) => typeof mark === 'object' && 'pattern' in mark)
    .map(([name]) => name)

  it('has a sample here for every mark', () => {
    expect(Object.keys(written).sort()).toEqual(names.sort())
  })

  it.each(names)('is recognised: %s', (name) => {
    const samples = fc.record({
      handle,
      restore: fc.constantFrom(null, 'context_restore', "'/home/a b/restore'", 'fetch_original'),
      what: fc.constantFrom('read src/app.ts', 'src/my file.ts', '$ grep [x] · y', '['),
      count: fc.integer({ min: 2, max: 5000 }),
      reason: fc.constantFrom(...reasons),
    })
    fc.assert(
      fc.property(samples, ({ restore, ...rest }) => {
        const hint = marks.restoreHint({ handle: rest.handle, restore })
        const forms = written[name]?.({ ...rest, hint }) ?? []
        const missed = forms.flatMap(([recognise, ...texts]) =>
          texts.filter((text) => !recognise(text)),
        )
        expect(missed).toEqual([])
      }),
    )
  })
})
