import * as z from 'zod'
import { regimeNames } from '../core/schedule/regimes.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { schedules } from '../core/words/settings.ts'
import {
  type AgentTools,
  type AggressivePruning,
  aggressivePresetNames,
  type ConfigFile,
  type GatewayLimits,
  type MemoryConfig,
  presetNames,
  type Strategies,
} from './config.ts'
import { modelOverrideSchema } from './model-schema.ts'
import { parseDuration, parseSize } from './quantities.ts'
import { toolMappingSchema } from './tool-mapping-schema.ts'

const on = z.boolean().optional()
const turns = z.int().min(0).optional().describe('How many turns old it must be.')
const count = z.int().min(0).optional()
const names = z.array(z.string().min(1)).optional()

const upstreamName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'a name has letters, digits, dots and dashes')
const upstreamAddress = z
  .url({ protocol: /^https?$/, error: 'give an address like http://127.0.0.1:11434/v1' })
  .refine(isBareAddress, {
    error:
      'an address has no user, password, query or fragment: leave them out, and let the agent send its credential with each request',
  })

/** A name or an address, with or without a port. */
export const hostNamePattern: RegExp = /^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?$/
const hostName = z
  .string()
  .regex(hostNamePattern, 'give a host name like host.docker.internal, with or without a port')

/** `true` and `false` are short for an object with `enabled`. Both forms have the same description. */
function switchOf<Shape extends z.ZodRawShape>(description: string, shape: Shape) {
  const enabled = on.describe(description)
  return z
    .union([z.boolean(), z.strictObject({ enabled, ...shape })])
    .optional()
    .describe(description)
}

const simple = (description: string) => switchOf(description, {})
const aged = (description: string) => switchOf(description, { turns })

const aggressivePruning: z.ZodType<AggressivePruning> = z.strictObject({
  preset: z
    .enum(aggressivePresetNames)
    .optional()
    .describe('Takes the ten keys of this object from another preset.'),
  pruneToolInputs: on.describe(
    'Inputs of superseded calls are stripped to what they are about, and where the rest is.',
  ),
  pruneStepMarkers: on.describe('Step markers are left out.'),
  pruneSourceUrls: on.describe('The newest fetch of a URL or query supersedes the older ones.'),
  pruneFiles: on.describe('Attachments outside the protected turns are masked.'),
  pruneSnapshots: on.describe('The newest snapshot of a file supersedes the older ones.'),
  pruneRetryParts: on.describe('Failures are superseded once the same call has succeeded.'),
  pruneUserCodeBlocks: on.describe(
    "Fenced blocks of more than 20 lines in the user's messages keep their first three and last three lines. All stays where a fence was never closed and prose may stand inside.",
  ),
  truncateOldErrors: aged(
    'Errors older than `turns` (3) keep their first three and last three lines.',
  ),
  aggressiveFilePrune: on.describe('The file policy `one-view`; it wins over `supersedeReads`.'),
  stateQuerySupersede: on.describe('The newest `ls`, `git status`, … supersedes the older ones.'),
})

const strategies: z.ZodType<Strategies> = z.strictObject({
  deduplication: switchOf(
    'What happens when the same call is made again. The `mode` `supersede` hides the older call; `pointer` lets an equal repeated result point to the first. Calls of `protectedTools` (globs) are left alone.',
    {
      mode: z
        .enum(['supersede', 'pointer'])
        .optional()
        .describe('Hide the older call, or let a repeated equal result point to the first.'),
      protectedTools: names.describe('Tools (globs) whose repeated calls are left alone.'),
    },
  ),
  supersedeWrites: simple('A write whose file is wholly read later loses its input.'),
  supersedeReads: simple('The file policy `supersede-reads`.'),
  todoSupersede: simple('The newest task list supersedes the older ones.'),
  contextSupersede: simple("The prune tool's own calls go once they have taken effect."),
  searchSupersede: simple('The newest of equal searches supersedes the older ones.'),
  purgeErrors: switchOf(
    'Errors older than `turns` (4) keep their first line. Errors of `protectedTools` (globs) are left alone.',
    { turns, protectedTools: names.describe('Tools (globs) whose errors are left alone.') },
  ),
  admission: switchOf(
    'Output of commands, searches and pages of more than `wholeChars` characters (8,000) is shown as a digest from the beginning; file text only above 2,000 lines, and output of failed calls only where `truncateOldErrors` or `purgeErrors` is on.',
    {
      wholeChars: z
        .number()
        .int()
        .min(0)
        .optional()
        .describe('Outputs of up to this many characters (8,000) are shown whole the first time.'),
    },
  ),
  pruneReplacedText: simple('What a successful edit took out of a file leaves its input.'),
  retention: switchOf(
    'Results that will probably not be needed again are shown in a short form. `risk` (0.45) is how much of what that saves may go into fetching back what was needed after all: 0 shortens nothing, 1 all that pays for itself.',
    {
      risk: z
        .number()
        .min(0)
        .max(1)
        .optional()
        .describe(
          'How much of what it saves (0.45) may go into fetching back what was needed after all.',
        ),
    },
  ),
  largeOutputs: switchOf(
    'Output over `bashTruncate` keeps its head, its tail and its failures; shell output only, unless `allTools`.',
    { allTools: on.describe('Output of all tools, not only of the shell.') },
  ),
  oldInputs: aged(
    'Where sent bytes change anyway, inputs of calls are stripped once their files were left alone for `turns` requests (40), and for half of that where a call changes no file.',
  ),
  pruneThinking: aged(
    'Reasoning older than `turns` (10) is left out, where the model allows it. Signed reasoning goes whole, where sent bytes change anyway and the user has spoken since.',
  ),
  planSupersede: simple(
    'A plan that the user accepted supersedes the earlier plans. What the user said about a plan that was turned down stays.',
  ),
  screenshotSupersede: simple('A screenshot supersedes the earlier one of the same call.'),
  reminderSupersede: simple(
    "Of the lists of skills and the reminders of the task list that Claude Code adds to the user's turns, the newest stays. The older ones go where sent bytes change anyway.",
  ),
  skillListings: aged(
    'Where sent bytes change anyway, lists of skills older than `turns` (20) keep every name and the beginning of every description.',
  ),
  skillTexts: aged(
    'Where sent bytes change anyway, the text of a skill that was called keeps its beginning and its headings after `turns` (20), once the user has spoken again.',
  ),
  aggressivePruning: aggressivePruning.optional().describe('The ten keys of ACP.'),
})

const tools: z.ZodType<AgentTools> = z.strictObject({
  settings: z
    .strictObject({
      protectedTools: names.describe(
        "ACP's list: tools that the agent cannot discard. Those beyond the built-in list are never pruned.",
      ),
    })
    .optional()
    .describe('The settings of the prune tool, as in ACP.'),
  todoReminder: z
    .strictObject({
      enabled: on.describe('Whether the agent is reminded of its task list.'),
      initialTurns: count.describe(
        'Turns without a change of the list before the first reminder (8).',
      ),
      repeatTurns: count.describe('Turns between reminders (4).'),
      stuckTaskTurns: count.describe('Turns in progress after which a task counts as stuck (12).'),
      maxContextTokens: count.describe(
        "The context size (100,000) that pressure is measured against, or the model's limit where that is less.",
      ),
    })
    .optional()
    .describe(
      "Reminds the agent of its task list, and says what share of the context's size is used.",
    ),
  automataMode: z
    .strictObject({
      enabled: on.describe('Whether the agent is reminded to reflect.'),
      initialTurns: count.describe('Turns between reflections (8).'),
    })
    .optional()
    .describe(
      'Reminds an agent with a task list to reflect on its strategy, once the user has said `automata`.',
    ),
})

const limit = z.int().positive().optional()

const triggers: z.ZodType<NonNullable<ConfigFile['triggers']>> = z.strictObject({
  historicalTokens: limit.describe('Tokens of old work (80,000) above which old tool outputs go.'),
  aggressiveTokens: limit.describe(
    'Tokens of old work (100,000) above which all that is disposable goes.',
  ),
  thinkingTokens: limit.describe('Tokens of reasoning (20,000) above which old reasoning goes.'),
})

const limits: z.ZodType<GatewayLimits> = z.strictObject({
  connections: limit.describe('Open connections (2,000); above it a new one gets 503.'),
  connectionsPerClient: limit.describe('The same for one address (1,000); above it 429.'),
  requestsPerClient: limit.describe(
    'Requests at the same time from one address with one credential (500); above it 429.',
  ),
  idleSeconds: limit.describe(
    'How long a client may send nothing while its request is expected (30); then 408.',
  ),
  bodyMegabytes: limit.describe(
    'Request bodies in memory (128); above it requests are sent as they came.',
  ),
})

const memory: z.ZodType<MemoryConfig> = z.strictObject({
  inject: on.describe(
    'The gateway, the OpenCode plugin and the AI SDK middleware inject memory. Off by default; a project may turn it off.',
  ),
  learn: on.describe(
    'The gateway, the OpenCode plugin, the AI SDK middleware and the Claude Code hook read what the user says into the memory. On for a local store, off for `postgres://`; a project may turn it off.',
  ),
  budgetTokens: z
    .int()
    .positive()
    .optional()
    .describe('How many tokens of memory are injected at the beginning of a conversation (2,000).'),
  extractor: z
    .strictObject({
      url: z.url().describe('An OpenAI-compatible endpoint, up to and with `/v1`.'),
      model: z.string().min(1).describe('The name of the model there.'),
      keyVariable: z
        .string()
        .min(1)
        .optional()
        .describe('The environment variable that holds the key, where one is needed.'),
    })
    .optional()
    .describe('A model that proposes what to remember; the same rules decide about it.'),
})

/** The whole of `palimpsest.jsonc`. */
export const configFileSchema: z.ZodType<ConfigFile> = z.strictObject({
  $schema: z.string().optional().describe('Where editors find this schema.'),
  enabled: on.describe('False turns Palimpsest off: nothing is changed.'),
  preset: z
    .enum(presetNames)
    .optional()
    .describe('The defaults of all other keys; `balanced` where no file names one.'),
  files: z
    .enum([
      'one-view',
      'latest-change',
      'overwrite',
      'supersede-reads',
      'first-last',
      'current-view',
      'none',
    ])
    .optional()
    .describe('The file policy: what supersedes reads, writes and edits of a file.'),
  schedule: z
    .enum(schedules)
    .optional()
    .describe(
      'When what was sent may change: `economic` when it pays, with the cache priced; `eager` at once; `on-demand` when the agent calls its prune tool; `cold-only` when nothing is cached; `admission-only` never.',
    ),
  regime: z
    .enum(regimeNames)
    .optional()
    .describe(
      "The price model that decisions follow, whatever the model. Without it they follow the prices of each request's model, and `replay` reports dollars under the first of these.",
    ),
  models: z
    .array(modelOverrideSchema)
    .optional()
    .describe('What you know better about your models; the first entry that fits decides.'),
  contextLimit: z
    .int()
    .positive()
    .nullable()
    .optional()
    .describe("The context limit in tokens, in place of the model's known limit; null keeps that."),
  protectedTools: names.describe(
    'Tools whose calls are never pruned; upper and lower case are the same.',
  ),
  protectedFilePatterns: names.describe('Files that are never pruned.'),
  secretFilePatterns: names.describe(
    'Files of which the store has hashes only, besides the usual ones (`.env`, `*.pem`, private keys, …).',
  ),
  turnProtection: z
    .union([
      z.int().min(0),
      z.strictObject({
        enabled: on.describe('Whether the newest turns are left alone.'),
        turns: z
          .int()
          .min(0)
          .optional()
          .describe('How many of the newest turns are left alone (4).'),
      }),
    ])
    .optional()
    .describe('How many of the newest turns are left alone.'),
  manualMode: switchOf(
    'Prunes only what a person or the agent asks for. The strategies still run, unless `automaticStrategies` is false.',
    { automaticStrategies: on.describe('Whether the strategies run in manual mode too.') },
  ),
  pruneNotification: z
    .enum(['off', 'minimal', 'detailed'])
    .optional()
    .describe('What the user is told after a prune.'),
  strategies: strategies.optional().describe('The strategies, one by one.'),
  maxFileReads: z
    .int()
    .min(2)
    .optional()
    .describe('Under `first-last`: how many reads of a file stay in full at most (5).'),
  keepAllEdits: on.describe(
    'On by default. If false, three old edits of a file become the list of their intents.',
  ),
  bashTruncate: z
    .int()
    .positive()
    .optional()
    .describe(
      'Characters (10,000) above which shell output is cut. Naming this key turns `largeOutputs` on.',
    ),
  recentResults: count.describe(
    'How many results count as the newest, for `recentOnly` and `compressEdits` (30).',
  ),
  recentOnly: on.describe(
    'Listings and focus calls are kept only among the newest `recentResults`.',
  ),
  compressEdits: on.describe(
    'Ten or more old edits of a file become the list of their intents. Old are those that are no longer among the newest `recentResults`.',
  ),
  budgetShare: z
    .number()
    .gt(0)
    .max(1)
    .optional()
    .describe(
      'The share of the context limit (0.7) above which middle-sized shell output is cut too.',
    ),
  editIntent: on.describe(
    'Edit tools offer an optional `intent`, in which the agent says what the edit is for.',
  ),
  tools: tools.optional().describe('What the agent can call and is reminded of, as in ACP.'),
  triggers: triggers
    .optional()
    .describe(
      'When the context would not fit, old work above these sizes is pruned in the same batch. In OpenCode also: under `acp` it is pruned at any time; under other presets the agent is reminded, at most every ten turns.',
    ),
  subAgents: on.describe(
    'In OpenCode: false leaves the conversations of sub-agents alone. On by default.',
  ),
  store: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Where sessions and memory are stored: a file, a folder, `memory:`, or a `postgres://` URL; in the user's folder when left out.",
    ),
  encryption: z
    .strictObject({
      keyFile: z
        .string()
        .min(1)
        .optional()
        .describe(
          'A file with the key that the texts of sessions and memory are encrypted with, unless `PALIMPSEST_KEY` has it. A relative name starts in the folder of your configuration.',
        ),
    })
    .optional()
    .describe('How the store is encrypted.'),
  record: z
    .enum(['full', 'none'])
    .optional()
    .describe(
      'With `none`, no text of a conversation is stored, and only pointers to what is still visible replace anything. A project may ask for it, and cannot undo it.',
    ),
  gc: z
    .strictObject({
      olderThan: quantity(parseDuration).describe(
        'The gateway removes sessions that were not used for this long, such as `30d`; one gateway of a store at a time.',
      ),
      largerThan: quantity(parseSize).describe(
        'The gateway removes the longest unused sessions while the store is larger than this, such as `200GB`.',
      ),
    })
    .optional()
    .describe('When the gateway removes sessions by itself.'),
  log: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A file to which `serve` appends a line of JSON for each request, without texts and keys. The option `--log` wins.',
    ),
  memory: memory.optional().describe('Facts, preferences and decisions that outlive a session.'),
  toolMappings: z
    .array(toolMappingSchema)
    .optional()
    .describe('How your own tools are read; the first entry that fits decides.'),
  upstreams: z
    .record(upstreamName, upstreamAddress)
    .optional()
    .describe(
      'Where the gateway sends requests: addresses by name, such as `{ "local": "http://127.0.0.1:11434/v1" }`.',
    ),
  allowedHosts: z
    .array(hostName)
    .optional()
    .describe(
      'Host names, with or without a port, that requests to the gateway may be addressed to besides loopback, and whose web pages may send some, such as `["host.docker.internal"]`.',
    ),
  limits: limits.optional().describe('What the gateway takes on, from all clients and from one.'),
  verify: on.describe(
    'The gateway checks a sample of the requests against what it promises, after they were sent. Off by default.',
  ),
  delegateClears: on.describe(
    'The gateway lets Anthropic clear old results by itself, where the client says nothing about it. Off by default.',
  ),
})

function quantity(parse: (text: string) => number): z.ZodType<string | undefined> {
  return z
    .string()
    .superRefine((text, context) => {
      try {
        parse(text)
      } catch (error) {
        if (!PalimpsestError.is(error)) throw error
        context.addIssue({ code: 'custom', message: error.message })
      }
    })
    .optional()
}

function isBareAddress(address: string): boolean {
  if (!URL.canParse(address)) return true
  const { username, password, search, hash } = new URL(address)
  return `${username}${password}${search}${hash}` === ''
}
