import { expect, it } from 'vitest'
import { engineFor, only } from '../../../../test/engine/told-session.ts'
import type { MessageDraft } from '../../words/item.ts'

const settings = only({ pruneSnapshots: true })
const said = (text: string): MessageDraft => ({ role: 'user', items: [{ kind: 'text', text }] })
const snapshot = (text: string): MessageDraft => ({
  role: 'assistant',
  items: [
    { kind: 'marker', marker: 'snapshot', text },
    { kind: 'marker', marker: 'step-start', text: '' },
    { kind: 'text', text: 'Done.' },
  ],
})

function markersLeftOut(messages: readonly MessageDraft[]): readonly unknown[] {
  const { changes } = engineFor(settings).request(messages)
  return changes.map(({ message, item, text, decision }) => [message, item, text, decision.reason])
}

it('leaves out all snapshot markers of a file but the newest', () => {
  const messages = [
    said('Go'),
    snapshot('{"file":"a.ts"}'),
    snapshot('{"file":"b.ts"}'),
    snapshot('{"file":"a.ts"}'),
    said('Go on'),
  ]
  expect(markersLeftOut(messages)).toEqual([[1, 0, null, 'snapshot']])
})

it('takes markers that name no file for snapshots of everything', () => {
  expect(markersLeftOut([said('Go'), snapshot(''), snapshot(''), said('Go on')])).toEqual([
    [1, 0, null, 'snapshot'],
  ])
})

it('keeps two snapshots of one turn', () => {
  const [first] = snapshot('').items
  const twice: MessageDraft = { role: 'assistant', items: [...snapshot('').items, first!] }
  expect(markersLeftOut([said('Go'), twice, said('Go on')])).toEqual([])
})
