import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentCommand, newestVersion, ripgrepFolder } from '../../scripts/agents.mjs'
import type { ItemDraft, ItemKind, MessageDraft } from '../../src/core/words/item.ts'
import type { Violation } from '../../src/formats/format.ts'
import { bodyFormats } from '../../src/formats/index.ts'
import { opencode } from '../../src/formats/opencode/index.ts'
import { bundledProgram } from '../bundled-program.ts'
import type { Scenario } from '../model/scenario.ts'
import type { Client } from './client.ts'
import { openCode } from './opencode.ts'
import { putAwayResults, standIn } from './opencode-plugin.ts'
import { closingWords, repairProject, repairPrompt, repairScenario } from './repair-scenario.ts'
import { type RecordedSession, recordSession } from './session.ts'

/** A list as the plugin handed it back to OpenCode. */
interface LoggedList {
  readonly messages: readonly unknown[]
  readonly problem: unknown
  readonly refused: readonly unknown[]
  readonly violations: readonly Violation[]
}

const client = openCode(newestVersion('opencode'), 'anthropic')
const command = agentCommand(client.agent)
const rg = ripgrepFolder()

/** OpenCode with our plugin among its own. */
function withPlugin(plugin: string): {
  readonly client: Client
  readonly lists: () => LoggedList[]
} {
  let log = ''
  return {
    client: {
      ...client,
      setUp(place, prompt) {
        log = join(place.home, 'lists.jsonl')
        const setup = client.setUp(place, prompt)
        const path = `${place.home}/.config/opencode/plugin/put-away-results.js`
        return {
          ...setup,
          files: [...setup.files, { path, text: plugin }],
          environment: {
            ...setup.environment,
            PALIMPSEST_LISTS: log,
            // With a plugin, OpenCode asks the registry for its own package, and without a network again and again.
            npm_config_fetch_retries: '0',
          },
        }
      },
    },
    lists: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as LoggedList),
  }
}

async function bundledPlugin(): Promise<string> {
  const code = readFileSync(await bundledProgram('test', 'e2e', 'opencode-plugin.ts'), 'utf8')
  // Every export of a plugin's file must be a plugin.
  return code.replace(/export \{[^}]*\};?/, `export { ${putAwayResults.name} };`)
}

function itemsOf(messages: readonly MessageDraft[], kind: ItemKind): readonly ItemDraft[] {
  return messages.flatMap(({ items }) => items.filter((item) => item.kind === kind))
}

/** The beginning of the repair, which has reads, a failing command and reasoning, and an answer. */
function scenario(project: string): Scenario {
  const { turns, ...rest } = repairScenario(project)
  return { ...rest, turns: [...turns.slice(0, 8), { text: closingWords }] }
}

const howToGetIt = 'skipped: not installed, get it with `npm test -- --all`'
const title = `what ${client.name} makes of its messages after us`
describe.skipIf(command === null)(command === null ? `${title} (${howToGetIt})` : title, () => {
  let session: RecordedSession
  let lists: readonly LoggedList[]

  beforeAll(async () => {
    const plugged = withPlugin(await bundledPlugin())
    session = await recordSession({
      client: plugged.client,
      command: command ?? '',
      programs: rg === null ? [] : [rg],
      prompt: repairPrompt,
      files: repairProject,
      scenario,
    })
    lists = plugged.lists()
  }, 120_000)

  afterAll(() => session?.remove())

  it('is a session that goes on to its end', () => {
    expect(session.results).toEqual([{ code: 0, errors: expect.any(String) }])
    expect(session.outputs[0]).toContain(closingWords)
  })

  it('is a list that keeps every rule', () => {
    expect(lists.length).toBe(scenario('').turns.length)
    for (const { problem, refused, violations } of lists) {
      expect({ problem, refused, violations }).toEqual({
        problem: null,
        refused: [],
        violations: [],
      })
    }
  })

  it('is a request that says what we read from the list, word for word', () => {
    const requests = session.requests.filter(({ turn }) => turn !== null)
    expect(requests.length).toBe(lists.length)
    for (const [index, { body }] of requests.entries()) {
      const sent = bodyFormats.anthropic.read(body).messages.filter(({ role }) => role !== 'system')
      const read = opencode.read(lists[index]!.messages).messages
      for (const kind of ['text', 'reasoning', 'call', 'result', 'attachment'] as const) {
        expect(itemsOf(sent, kind)).toEqual(itemsOf(read, kind))
      }
    }
    const last = requests.at(-1)!.body
    expect(last.split(standIn).length - 1).toBeGreaterThan(3)
  })
})
