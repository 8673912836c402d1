import { claudeCode } from '../claude-code.ts'
import type { Client } from '../client.ts'
import { codex } from '../codex.ts'
import { openCode } from '../opencode.ts'
import { pi } from '../pi.ts'

/** One version of a client with every model that changes what it sends. */
interface ClientVersion {
  readonly client: string
  /** The newest of a client stands last. */
  readonly version: string
  readonly runs: readonly Client[]
}

/** Models change how Claude Code thinks, which tools it offers and which reminders it adds to results. */
function claudeCodeRuns(version: string, models: readonly string[]): ClientVersion {
  const runs = [claudeCode(version), ...models.map((model) => claudeCode(version, model))]
  return { client: 'Claude Code', version, runs }
}

const earlierModels = [
  'claude-sonnet-4-5',
  'claude-sonnet-4-6',
  'claude-opus-4-5',
  'claude-haiku-4-5',
] as const

const versions: readonly ClientVersion[] = [
  claudeCodeRuns('2.1.197', earlierModels),
  claudeCodeRuns('2.1.325', [
    ...earlierModels,
    'claude-opus-4-8',
    'claude-sonnet-5-5',
    'claude-haiku-5-5',
    'claude-fable-5-2',
  ]),
  {
    client: 'Codex',
    version: '0.166.0',
    // A model that it does not know gets no tool for patches.
    runs: [codex('0.166.0'), codex('0.166.0', 'scripted-model')],
  },
  {
    client: 'OpenCode',
    version: '1.18.33',
    // GPT-5 models change files by patches, all others by edits.
    runs: [
      openCode('1.18.33', 'anthropic'),
      openCode('1.18.33', 'openai-chat'),
      openCode('1.18.33', 'openai-responses'),
      openCode('1.18.33', 'openai-responses', { snapshots: false, model: 'gpt-4.1' }),
    ],
  },
  {
    client: 'Pi',
    version: '0.73.1',
    runs: [
      pi('0.73.1', 'anthropic'),
      pi('0.73.1', 'openai-chat'),
      pi('0.73.1', 'openai-responses'),
    ],
  },
]

/** All of them, or the newest version of each client alone. */
export function differentialClients(options: { readonly newestOnly: boolean }): readonly Client[] {
  const chosen = options.newestOnly
    ? versions.filter(
        ({ client }, at) => versions.findLastIndex((each) => each.client === client) === at,
      )
    : versions
  return chosen.flatMap(({ runs }) => runs)
}
