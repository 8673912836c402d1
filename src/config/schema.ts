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
const enabled = on.describe('On or off.')

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

/** On or off, or an object with more settings. */
const switchWith = <Shape extends z.ZodRawShape>(more: Shape) =>
  z.union([z.boolean(), z.strictObject({ enabled, ...more })]).optional()
const simple = switchWith({})
const aged = switchWith({ turns })

const aggressivePruning: z.ZodType<AggressivePruning> = z.strictObject({
  preset: z
    .enum(aggressivePresetNames)
    .optional()
    .describe('Takes the keys of this object from another preset.'),
  pruneToolInputs: on.describe('Inputs of superseded calls are stripped to what they are about.'),
  pruneStepMarkers: on.describe('Step markers are left out.'),
  pruneSourceUrls: on.describe('The newest fetch of a URL or query supersedes the older ones.'),
  pruneFiles: on.describe('Attachments outside the protected turns are masked.'),
  pruneSnapshots: on.describe('The newest snapshot of a file supersedes the older ones.'),
  pruneRetryParts: on.describe('Failures are superseded once the same call has succeeded.'),
  pruneUserCodeBlocks: on.describe('Fenced blocks over 20 lines in user messages keep 3 + 3.'),
  truncateOldErrors: aged.describe('Errors older than `turns` (3) keep 3 + 3 lines.'),
  aggressiveFilePrune: on.describe('The file policy `one-view`; beats `supersedeReads`.'),
  stateQuerySupersede: on.describe('The newest `ls`, `git status`, … supersedes the older ones.'),
})

const strategies: z.ZodType<Strategies> = z.strictObject({
  deduplication: switchWith({
    mode: z
      .enum(['supersede', 'pointer'])
      .optional()
      .describe('Hide the older call, or let a repeated equal result point to the first.'),
    protectedTools: names.describe('Tools whose repeated calls are left alone.'),
  }).describe('The same call again.'),
  supersedeWrites: simple.describe('A write whose file is wholly read later loses its input.'),
  supersedeReads: simple.describe('The file policy `supersede-reads`.'),
  todoSupersede: simple.describe('The newest task list supersedes the older ones.'),
  contextSupersede: simple.describe("The prune tool's own calls go once they have taken effect."),
  searchSupersede: simple.describe('The newest of equal searches supersedes the older ones.'),
  purgeErrors: switchWith({
    turns,
    protectedTools: names.describe('Tools whose errors are left alone.'),
  }).describe('Errors older than `turns` are replaced by their first line.'),
  admission: switchWith({
    wholeChars: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe('Outputs of up to this many characters are shown whole the first time.'),
  }).describe('Outputs larger than `wholeChars` are shown as a digest from the beginning.'),
  pruneReplacedText: simple.describe('What an edit took out of a file leaves its input.'),
  retention: switchWith({
    risk: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('How much of what it saves may go into fetching back what was needed after all.'),
  }).describe('Results that will probably not be needed again are shown in a short form.'),
  largeOutputs: switchWith({ allTools: on.describe('Not only shell output.') }).describe(
    'Output over `bashTruncate` keeps its head and its tail.',
  ),
  oldInputs: aged.describe(
    'Inputs of calls are stripped once their files were left alone for `turns` requests.',
  ),
  pruneThinking: aged.describe(
    'Reasoning older than `turns` is left out, where the model allows it.',
  ),
  planSupersede: simple.describe('An accepted plan replaces the earlier ones.'),
  screenshotSupersede: simple.describe('A screenshot replaces the earlier one of the same call.'),
  reminderSupersede: simple.describe(
    'Of the lists of skills and the reminders of the task list that a client adds, the newest stays.',
  ),
  skillListings: aged.describe(
    'Lists of skills older than `turns` keep every name and the beginning of every description.',
  ),
  skillTexts: aged.describe(
    'The text of a skill keeps its beginning and its headings after `turns`, once the user has spoken again.',
  ),
  aggressivePruning: aggressivePruning.optional().describe('The ten keys of ACP.'),
})

const tools: z.ZodType<AgentTools> = z.strictObject({
  settings: z
    .strictObject({
      protectedTools: names.describe(
        'Tools that the agent cannot discard; those beyond the built-in list are protected from everything.',
      ),
    })
    .optional(),
  todoReminder: z
    .strictObject({
      enabled,
      initialTurns: count.describe('Turns without a change of the list before the first reminder.'),
      repeatTurns: count.describe('Turns between reminders.'),
      stuckTaskTurns: count.describe('Turns in progress after which a task counts as stuck.'),
      maxContextTokens: count.describe('The context size that pressure is measured against.'),
    })
    .optional()
    .describe('Reminds the agent of its task list.'),
  automataMode: z
    .strictObject({
      enabled,
      initialTurns: count.describe('Turns between reflections.'),
    })
    .optional()
    .describe('Reminds the agent to reflect on its strategy.'),
})

const limit = z.int().positive().optional()

const triggers: z.ZodType<NonNullable<ConfigFile['triggers']>> = z.strictObject({
  historicalTokens: limit.describe('Historical context above which old tool outputs are removed.'),
  aggressiveTokens: limit.describe(
    'Historical context above which everything disposable is removed.',
  ),
  thinkingTokens: limit.describe('Reasoning above which older reasoning is removed.'),
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
    'Request bodies in memory (128); above it requests are sent unchanged.',
  ),
})

const memory: z.ZodType<MemoryConfig> = z.strictObject({
  inject: on.describe('The model is told what is remembered.'),
  learn: on.describe(
    'What the user says in conversations is read into the memory. On for a store of one user, off for `postgres://`.',
  ),
  budgetTokens: z
    .int()
    .positive()
    .optional()
    .describe('How many tokens that may take at the beginning of a conversation (2,000).'),
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
  enabled: on.describe('False changes nothing at all.'),
  preset: z.enum(presetNames).optional().describe('The settings that all other keys start from.'),
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
    .describe('What supersedes reads, writes and edits of a file.'),
  schedule: z
    .enum(schedules)
    .optional()
    .describe('Apply decisions at once, when it pays, or when the prune tool is called.'),
  regime: z
    .enum(regimeNames)
    .optional()
    .describe('The prices and cache rules that are used for every model.'),
  models: z
    .array(modelOverrideSchema)
    .optional()
    .describe('What you know better about your models; the first that fits decides.'),
  contextLimit: z
    .int()
    .positive()
    .nullable()
    .optional()
    .describe('The context limit in tokens; replaces the known limit of the model.'),
  protectedTools: names.describe('Tools (globs) whose calls are protected from everything.'),
  protectedFilePatterns: names.describe('Files (globs) that are protected from everything.'),
  secretFilePatterns: names.describe(
    'Files (globs) of which the store has hashes only, besides the usual ones such as `.env` and `*.pem`.',
  ),
  turnProtection: z
    .union([z.int().min(0), z.strictObject({ enabled, turns })])
    .optional()
    .describe('How many of the newest turns are not touched.'),
  manualMode: switchWith({
    automaticStrategies: on.describe('Strategies run in manual mode too.'),
  }).describe('Only what a person or the agent asks for is done.'),
  pruneNotification: z
    .enum(['off', 'minimal', 'detailed'])
    .optional()
    .describe('What the user is told after a prune.'),
  strategies: strategies.optional().describe('The strategies, one by one.'),
  maxFileReads: z
    .int()
    .min(2)
    .optional()
    .describe('Under `first-last`: how many reads of a file stay in full.'),
  keepAllEdits: on.describe(
    'Under `compressEdits`: runs of 10 edits are compressed; if false, of 3.',
  ),
  bashTruncate: z
    .int()
    .positive()
    .optional()
    .describe('Characters over which shell output is cut; turns `largeOutputs` on.'),
  recentResults: count.describe('How many of the newest results stay under `recentOnly`.'),
  recentOnly: on.describe('Listings and focus calls are kept only while they are recent.'),
  compressEdits: on.describe('Long runs of edits to a file become the list of their intents.'),
  budgetShare: z
    .number()
    .gt(0)
    .max(1)
    .optional()
    .describe('The share of the context limit above which middle-sized shell output is cut.'),
  editIntent: on.describe('Edit tools offer an optional `intent`.'),
  tools: tools.optional().describe('What the agent can call and is reminded of, as in ACP.'),
  triggers: triggers
    .optional()
    .describe(
      'Sizes from which on old work is pruned under `acp`, and the agent advised elsewhere.',
    ),
  subAgents: on.describe('Conversations that another one started are pruned too.'),
  store: z
    .string()
    .min(1)
    .optional()
    .describe('A file, a folder, `memory:`, or a `postgres://` URL.'),
  encryption: z
    .strictObject({
      keyFile: z
        .string()
        .min(1)
        .optional()
        .describe(
          'A file with the key that the texts of sessions and memory are encrypted with, unless `PALIMPSEST_KEY` has it.',
        ),
    })
    .optional()
    .describe('How the store is encrypted.'),
  record: z
    .enum(['full', 'none'])
    .optional()
    .describe(
      'With `none`, no text of a conversation is stored, and only pointers to what is still visible replace anything.',
    ),
  gc: z
    .strictObject({
      olderThan: quantity(parseDuration).describe(
        'The gateway removes sessions that were not used for this long, such as `30d`.',
      ),
      largerThan: quantity(parseSize).describe(
        'The gateway removes the longest unused sessions until the store fits, such as `5GB`.',
      ),
    })
    .optional()
    .describe('When the gateway removes sessions by itself.'),
  log: z
    .string()
    .min(1)
    .optional()
    .describe('A file to which `serve` appends a line of JSON for each request, without texts.'),
  memory: memory.optional().describe('Facts, preferences and decisions; see docs/memory.md.'),
  toolMappings: z
    .array(toolMappingSchema)
    .optional()
    .describe('How your own tools are read; the first that fits decides.'),
  upstreams: z
    .record(upstreamName, upstreamAddress)
    .optional()
    .describe('Where the gateway sends requests: addresses by name.'),
  allowedHosts: z
    .array(hostName)
    .optional()
    .describe(
      'Host names, with or without a port, that requests to the gateway may be addressed to besides loopback, and whose web pages may send some.',
    ),
  limits: limits
    .optional()
    .describe('How much the gateway accepts, from all clients and from one.'),
  verify: on.describe(
    'The gateway checks a sample of the requests against what docs/reliability.md promises, after they were sent.',
  ),
  delegateClears: on.describe(
    'The gateway lets the provider clear old results where it can (Anthropic) and the client says nothing about it.',
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
