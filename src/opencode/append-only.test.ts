import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import {
  type HostedConversation,
  type HostedMessage,
  type HostedModel,
  type HostedPlugin,
  hostedPlugin,
} from '../../test/agent/hosted.ts'
import { lines } from '../../test/engine/told-session.ts'
import { openStore } from '../store/open-store.ts'
import { totalsIn } from './totals.ts'

const scratch = mkdtempSync(join(tmpdir(), 'palimpsest append only '))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const models: readonly HostedModel[] = [
  { providerID: 'openai', modelID: 'gpt-5.1-codex' },
  { providerID: 'anthropic', modelID: 'claude-sonnet-4-5' },
  { providerID: 'google', modelID: 'gemini-3-pro' },
]

type Act =
  | { readonly kind: 'read'; readonly file: number; readonly from: number; readonly count: number }
  | { readonly kind: 'edit' | 'patch' | 'shell' | 'fails'; readonly file: number }
  | { readonly kind: 'say' | 'command' | 'restart' | 'running' | 'todo' }
  | { readonly kind: 'switch'; readonly model: number }
  | { readonly kind: 'compact'; readonly keptTurns: number }

const file = fc.nat(2)
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('read' as const),
      file,
      from: fc.constantFrom(1, 1, 1, 20),
      count: fc.constantFrom(20, 40, 120),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('edit' as const, 'patch' as const, 'shell' as const, 'fails' as const),
      file,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'say' as const,
        'command' as const,
        'restart' as const,
        'running' as const,
        'todo' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('switch' as const), model: fc.nat(2) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('compact' as const), keptTurns: fc.nat(3) }),
  },
)

/** A host whose process can end and start again, on one store and one project. */
class Host {
  readonly #given: Readonly<Record<string, unknown>>
  readonly #path: string
  #plugin: HostedPlugin | undefined
  #model: HostedModel = models[0]!
  #versions = [0, 0, 0]
  session!: HostedConversation

  constructor(path: string, given: Readonly<Record<string, unknown>>) {
    this.#path = path
    this.#given = { ...given, store: path }
  }

  async restart(): Promise<void> {
    await this.#plugin?.hooks.dispose()
    const stored = this.session?.stored ?? []
    this.#plugin = await hostedPlugin({ given: this.#given })
    this.session = this.#plugin.conversation('s')
    this.session.stored.push(...stored)
    this.session.use(this.#model)
  }

  /** One act of the user, the agent or the host. */
  async perform(step: Act, at: number): Promise<void> {
    const { session } = this
    const path = 'file' in step ? `/project/f${step.file}.ts` : ''
    switch (step.kind) {
      case 'read': {
        const { from, count } = step
        const text = lines(from, count, `f${step.file} v${this.#versions[step.file]}`)
        return session.called('read', { filePath: path, offset: from, limit: count }, text)
      }
      case 'edit':
      case 'patch': {
        const version = (this.#versions[step.file] ?? 0) + 1
        const [before, after] = [`v${version - 1}`, `v${version}`]
        this.#versions[step.file] = version
        if (step.kind === 'edit')
          return session.called(
            'edit',
            { filePath: path, oldString: before, newString: after },
            'Edit applied successfully.',
          )
        const body = [`*** Update File: ${path}`, '@@', `-${before}`, `+${after}`]
        const patchText = ['*** Begin Patch', ...body, '*** End Patch'].join('\n')
        return session.called('apply_patch', { patchText }, `Success. Updated ${path}`)
      }
      case 'shell':
        return session.called('bash', { command: `cat ${path}` }, lines(1, 60, `out ${step.file}`))
      case 'fails':
        return session.called('bash', { command: `make ${path}` }, `failed at ${at}`, 'error')
      case 'todo':
        return session.called(
          'todowrite',
          { todos: [{ content: `Task ${at}`, status: 'in_progress' }] },
          `[{"content":"Task ${at}"}]`,
        )
      case 'say':
        session.answered(`That was step ${at}.`)
        return session.say(`Go on after ${at}.`)
      case 'command':
        session.answered(`Before the command at ${at}.`)
        await session.commanded('stats')
        return session.say(`After the command at ${at}.`)
      case 'restart':
        return this.restart()
      case 'running':
        return this.#interrupted(at)
      case 'switch':
        this.#model = models[step.model]!
        session.use(this.#model)
        return session.say(`With another model at ${at}.`)
      case 'compact':
        session.answered(`Before the compaction at ${at}.`)
        if (at % 2 === 0) await session.commanded('stats')
        await session.compact(step.keptTurns)
        return session.say(`After the compaction at ${at}.`)
    }
  }

  /** A request goes out while a tool runs; then the tool ends. */
  async #interrupted(at: number): Promise<void> {
    const { session } = this
    const input = { filePath: '/project/f0.ts', offset: 1, limit: 40 }
    session.called('read', input, lines(1, 40, `f0 v${this.#versions[0]}`))
    const [part] = session.stored.at(-1)!.parts.slice(-1)
    const { state } = part!
    part!.state = { status: 'running', input, time: { start: 0 } }
    session.say(`Meanwhile at ${at}.`)
    await this.request()
    part!.state = state
  }

  #before: ReadonlyMap<string, Sent> = new Map()
  /** How many epochs were declared so far. */
  epochs = 0
  /** How many items were shown differently from how they are stored, over all requests. */
  changed = 0

  /** Sends a request. What was sent before keeps its bytes, unless an epoch was declared. */
  async request(): Promise<void> {
    const list = partsIn(await this.session.request())
    const stored = partsIn(this.session.stored)
    const sent = new Map(
      [...stored].map(([id, original]) => [id, { original, shown: list.get(id) ?? null }]),
    )
    const epochs = await this.#declared()
    if (epochs === this.epochs) {
      for (const [id, { original, shown: was }] of this.#before) {
        const now = sent.get(id)
        if (now?.original === original) expect({ id, shown: now.shown }).toEqual({ id, shown: was })
      }
    }
    this.epochs = epochs
    this.#before = sent
    for (const { original, shown } of sent.values()) if (shown !== original) this.changed++
  }

  async #declared(): Promise<number> {
    // The plugin writes what a request added once it is on its way.
    await new Promise((resolve) => setTimeout(resolve, 4))
    const store = await openStore({ kind: 'sqlite', path: this.#path })
    try {
      const totals = Object.entries(await totalsIn(store))
      return totals.reduce((sum, [name, n]) => (name.startsWith('epochs.') ? sum + n : sum), 0)
    } finally {
      await store.close()
    }
  }

  async close(): Promise<void> {
    await this.#plugin?.hooks.dispose()
  }
}

interface Sent {
  readonly original: string
  /** null when the item was left out. */
  readonly shown: string | null
}

/** Each part's bytes by its id, as far as the model sees them. */
function partsIn(list: readonly HostedMessage[]): ReadonlyMap<string, string> {
  return new Map(
    list.flatMap(({ parts }) =>
      parts.map(({ id, type, text, state }): [string, string] => {
        const { status, input, output, error } = (state ?? {}) as Record<string, unknown>
        return [String(id), JSON.stringify({ type, text, status, input, output, error })]
      }),
    ),
  )
}

describe('what the plugin has sent', { timeout: 240_000 }, () => {
  it.each([
    ['by default', {}],
    ['with nothing protected by age', { turnProtection: 0 }],
  ])(
    'keeps its bytes between declared epochs %s, over restarts, compactions and other models',
    async (_name, given) => {
      let [count, epochs, changed] = [0, 0, 0]
      await fc.assert(
        fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 45 }), async (acts) => {
          const host = new Host(join(scratch, `${Object.keys(given).length}-${count++}.db`), given)
          await host.restart()
          host.session.say('Work on it.')
          await host.request()
          for (const [at, step] of acts.entries()) {
            await host.perform(step, at)
            await host.request()
          }
          await host.close()
          epochs += host.epochs
          changed += host.changed
        }),
        { numRuns: 8 },
      )
      expect(epochs).toBeGreaterThan(0)
      expect(changed).toBeGreaterThan(0)
    },
  )
})
