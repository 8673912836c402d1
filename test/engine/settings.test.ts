import { describe, expect, it } from 'vitest'
import { createUnderstanding } from '../../src/actions/understand.ts'
import { presets } from '../../src/config/presets.ts'
import { createProtection } from '../../src/config/protection.ts'
import { createEngine, type Engine } from '../../src/core/engine.ts'
import { noteOf } from '../../src/core/render/input-note.ts'
import type { MessageDraft } from '../../src/core/words/item.ts'
import type { Settings } from '../../src/core/words/settings.ts'
import type { Row } from './settings-row.ts'
import { readElsewhere, rows } from './settings-rows.ts'
import { messagesOf, only, type ToldTurn } from './told-session.ts'

function keysOf(value: object, path = ''): readonly string[] {
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? keysOf(member, `${path}${key}.`)
      : [`${path}${key}`],
  )
}

function withKey(settings: Settings, key: string, value: unknown): Settings {
  const [name = '', member] = key.split('.')
  if (member === undefined) return { ...settings, [name]: value }
  const group = settings[name as keyof Settings] as object
  return { ...settings, [name]: { ...group, [member]: value } }
}

function isMessage(each: ToldTurn | MessageDraft): each is MessageDraft {
  return 'role' in each
}

/** Sends the session request by request, and names what the last one shows differently. */
function shownUnder(settings: Settings, { session, discards }: Row): readonly string[] {
  const engine = createEngine({
    restore: { tool: 'context_restore' },
    settings,
    understanding: () => createUnderstanding({ cwd: '/home/dev/app' }),
    protection: createProtection(settings),
  })
  const told = session.every(isMessage) ? session : messagesOf(session as readonly ToldTurn[])
  for (const [last, message] of told.entries()) {
    if (message.role !== 'assistant') engine.request(told.slice(0, last + 1))
  }
  if (discards !== undefined) discard(engine, discards)
  return engine.request(told).changes.flatMap(({ message, item, decision }) => {
    const draft = told[message]?.items[item]
    // Such a result only says at its end what its call left out.
    if (draft?.kind === 'result' && noteOf(decision.rendition) !== null) return []
    const name = draft !== undefined && 'call' in draft ? draft.call : draft?.kind
    return `${name}: ${decision.rendition.how} ${decision.reason}`
  })
}

function discard(engine: Engine, id: string): void {
  const result = engine.record.items.find((item) => item.kind === 'result' && item.call === id)
  const rendition = { how: 'discarded', text: '[gone]' } as const
  engine.ask(result?.handle ?? '', { rendition, reason: 'agent', strategy: 'context_prune' })
}

describe('every key of the settings', () => {
  it('is told of here, or read by something else than the engine', () => {
    expect([...Object.keys(rows), ...Object.keys(readElsewhere)].sort()).toEqual(
      [...keysOf(presets.off)].sort(),
    )
  })

  for (const [key, row] of Object.entries(rows)) {
    for (const [value, changes] of row.shows) {
      it(`${key}: ${JSON.stringify(value)} shows ${changes.join(', ') || 'everything in full'}`, () => {
        const settings = withKey(only(row.with ?? {}), key, value)
        expect(shownUnder(settings, row)).toEqual(changes)
      })
    }
    it(`${key} makes a difference`, () => {
      expect(new Set(row.shows.map(([, changes]) => changes.join())).size).toBeGreaterThan(1)
    })
  }
})
