import * as z from 'zod'
import { PalimpsestError } from '../../core/words/errors.ts'
import { findSecrets } from '../../core/words/secrets.ts'
import type { Scope } from '../item.ts'
import { keyOfText } from '../key-of-text.ts'
import type { NewItem } from '../memory.ts'
import { dateOf } from './date.ts'
import { itemLine, itemView } from './item-view.ts'
import {
  type CommandOptions,
  type MemoryAccess,
  type MemoryOperation,
  memoryOperation,
  visibleItem,
} from './operation.ts'

const kinds = ['fact', 'preference', 'decision'] as const

/** One flat object, because some clients reject a union at the top of a schema. */
const input = z.object({
  kind: z.enum(kinds),
  text: z.string().optional().describe('a fact or a decision, in one sentence'),
  category: z.string().optional().describe('needed for a preference: style, tooling, …'),
  key: z.string().optional().describe('needed for a preference: indentation, editor, …'),
  value: z.string().optional().describe('needed for a preference: "2 spaces", Neovim, …'),
  scope: z
    .string()
    .optional()
    .describe(
      'user, project, session or team:NAME; a preference or a fact about the user is for the user, others for the project',
    ),
  saidBy: z
    .enum(['user', 'assistant'])
    .optional()
    .describe('assistant: concluded by you; it never replaces what the user said'),
  why: z.string().optional().describe('the reason of a decision'),
  confidence: z.number().min(0).max(1).optional(),
  since: z.string().optional().describe('date from which it is true'),
  expires: z.string().optional().describe('date at which it stops being true'),
})

type AddInput = z.infer<typeof input>

export const add: MemoryOperation = memoryOperation({
  name: 'add',
  effect: 'adds',
  input,
  command: {
    description: 'remember a fact, a preference or a decision',
    arguments: [
      ['<kind>', 'fact, preference or decision'],
      ['<words...>', 'TEXT, or CATEGORY KEY VALUE for a preference'],
    ],
    options: [
      ['--scope <scope>', 'user, project, session, or team:NAME'],
      ['--category <name>', 'what it belongs to'],
      ['--confidence <number>', 'between 0 and 1'],
      ['--since <date>', 'when it became true'],
      ['--expires <date>', 'when it stops being true'],
      ['--why <text>', 'the reason for a decision'],
    ],
    help: `
Examples:
  palimpsest memory add fact "user is a backend developer"
  palimpsest memory add preference style indentation "2 spaces"
  palimpsest memory add decision "Use PostgreSQL" --why "we know it"`,
    input: ([kind, words], options) => typedInput(String(kind), [words ?? []].flat(), options),
  },
  toolDescription:
    'Remembers a fact, a preference or a decision beyond this session. ' +
    'A preference replaces the earlier one with the same category and key.',
  async run(given, access) {
    const { memory } = access
    const { id, outcome } = await memory.addDurably(newItem(given, access))
    const item = itemView(access, visibleItem(access, id))
    const replaced = [item.supersedes ?? []].flat().map((old) => ({
      id: old,
      text: memory.state.items.get(old)?.item.text ?? '',
    }))
    return { item, outcome, replaced }
  },
  text: ({ item, replaced }) => [
    itemLine(item),
    ...replaced.map(({ id, text }) => `  replaces ${id}  ${text}`),
  ],
  json: ({ item }) => item,
  answer: ({ item, outcome }) => ({ ...item, outcome }),
})

function typedInput(kind: string, words: readonly string[], options: CommandOptions): AddInput {
  const { scope, category, confidence, since, expires, why } = options
  const more = {
    scope,
    since,
    expires,
    why,
    confidence: confidence === undefined ? undefined : fraction(confidence),
  }
  switch (kind) {
    case 'preference': {
      const [group, key, ...value] = words
      if (group === undefined || key === undefined || value.length === 0)
        throw new PalimpsestError('usage', 'a preference needs three arguments: CATEGORY KEY VALUE')
      return { ...more, kind, category: group, key, value: value.join(' ') }
    }
    case 'fact':
    case 'decision':
      return { ...more, kind, category, text: words.join(' ') }
    default:
      throw new PalimpsestError('usage', `'${kind}' is not a kind. Use one of: ${kinds.join(', ')}`)
  }
}

function fraction(text: string): number {
  const value = Number(text)
  if (!(value >= 0 && value <= 1))
    throw new PalimpsestError('usage', `${text} is not a number between 0 and 1`)
  return value
}

/** @throws PalimpsestError with code `usage` when something is missing or not understood. */
function newItem(given: AddInput, access: MemoryAccess): NewItem {
  const { kind, saidBy = 'user' } = given
  const { caller, place } = access
  refuseSecrets(given)
  const base = {
    scope: scopeOf(given.scope ?? usualScope(given, place.project), access),
    ...(caller === 'agent' ? { source: { origin: saidBy, session: place.session } } : {}),
    ...(given.confidence === undefined ? {} : { confidence: given.confidence }),
    ...(given.since === undefined ? {} : { validFrom: dateOf(given.since) }),
    ...(given.expires === undefined ? {} : { expiresAt: dateOf(given.expires) }),
    ...(given.why === undefined ? {} : { rationale: given.why }),
  }
  const text = given.text?.trim() ?? ''
  if (kind === 'preference') {
    const [category, key, value] = [given.category, given.key, given.value].map((each) =>
      each?.trim(),
    )
    if (!category || !key || !value)
      throw new PalimpsestError('usage', 'a preference needs category, key and value')
    return { kind, text: text || `${key}: ${value}`, category, attribute: key, value, ...base }
  }
  if (text === '') throw new PalimpsestError('usage', `a ${kind} needs text`)
  return {
    kind,
    text,
    subject: kind === 'fact' ? 'user' : 'project',
    ...keyOfText(text),
    ...(given.key === undefined ? {} : { attribute: given.key }),
    ...(given.value === undefined ? {} : { value: given.value }),
    ...(given.category === undefined ? {} : { category: given.category }),
    ...base,
  }
}

function refuseSecrets({ text, key, value, why }: AddInput): void {
  // `db password: hunter2` gives it away only together.
  const whole = `${text ?? ''} ${key ?? ''}: ${value ?? ''} ${why ?? ''}`
  const [secret] = findSecrets(whole)
  if (secret !== undefined)
    throw new PalimpsestError(
      'usage',
      `this contains what looks like a secret (${secret.kind}). The memory does not store secrets. Store where it is kept instead.`,
    )
}

/** Decisions and facts are about the project, unless they are about the user or no project is known. */
function usualScope({ kind, text = '' }: AddInput, project: string): 'user' | 'project' {
  if (kind === 'decision') return 'project'
  const isPersonal =
    kind === 'preference' || /^\s*(?:(?:the )?user\b|i\b|i'm\b|my\b|me\b)/i.test(text)
  return isPersonal || project === '' ? 'user' : 'project'
}

/** A person may name any project or session; an agent only its own. */
function scopeOf(text: string, { caller, place }: MemoryAccess): Scope {
  if (text === 'user' || text === 'permanent') return 'user'
  if (text === 'project' && place.project === '')
    throw new PalimpsestError(
      'usage',
      'the project is not known: give the scope user, or set the header x-palimpsest-project where this client is configured',
    )
  if (text === 'project' || text === `project:${place.project}`) return `project:${place.project}`
  if (text === 'session' || text === `session:${place.session}`) return `session:${place.session}`
  const allowed = caller === 'person' ? /^(?:team|project|session):./ : /^team:./
  if (allowed.test(text)) return text as Scope
  throw new PalimpsestError(
    'usage',
    `'${text}' is not a scope. Use one of: user, project, session, team:NAME`,
  )
}
