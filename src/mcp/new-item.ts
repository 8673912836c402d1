import * as z from 'zod'
import { PalimpsestError } from '../core/words/errors.ts'
import {
  keyOfText,
  type MemoryKind,
  type NewItem,
  type Place,
  type Scope,
} from '../memory/index.ts'

/** What `memory_add` takes. */
export interface NewItemInput {
  readonly kind: MemoryKind
  readonly text?: string | undefined
  readonly category?: string | undefined
  readonly key?: string | undefined
  readonly value?: string | undefined
  readonly scope?: string | undefined
  readonly saidBy?: 'user' | 'assistant' | undefined
  readonly why?: string | undefined
  readonly confidence?: number | undefined
  readonly since?: string | undefined
  readonly expires?: string | undefined
}

/** One flat object, because some clients refuse alternatives at the top of a schema. */
export const newItemSchema: z.ZodType<NewItemInput> = z.object({
  kind: z.enum(['fact', 'preference', 'decision']),
  text: z.string().optional().describe('a fact or a decision, in one sentence'),
  category: z.string().optional().describe('needed for a preference: style, tooling, …'),
  key: z.string().optional().describe('needed for a preference: indentation, editor, …'),
  value: z.string().optional().describe('needed for a preference: "2 spaces", Neovim, …'),
  scope: z
    .string()
    .optional()
    .describe(
      'user, project, session or team:NAME; a decision is for the project, others the user',
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

/** @throws PalimpsestError with code `usage`, saying what is missing or not understood. */
export function newItem(input: NewItemInput, place: Place): NewItem {
  const { kind, saidBy = 'user' } = input
  const base = {
    scope: scopeOf(input.scope ?? (kind === 'decision' ? 'project' : 'user'), place),
    source: { origin: saidBy, session: place.session },
    ...(input.confidence === undefined ? {} : { confidence: input.confidence }),
    ...(input.since === undefined ? {} : { validFrom: timeOf(input.since) }),
    ...(input.expires === undefined ? {} : { expiresAt: timeOf(input.expires) }),
    ...(input.why === undefined ? {} : { rationale: input.why }),
  }
  const text = input.text?.trim() ?? ''
  if (kind === 'preference') {
    const [category, key, value] = [input.category, input.key, input.value].map((each) =>
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
    ...(input.key === undefined ? {} : { attribute: input.key }),
    ...(input.value === undefined ? {} : { value: input.value }),
    ...(input.category === undefined ? {} : { category: input.category }),
    ...base,
  }
}

/** @throws PalimpsestError with code `usage` when it is no date. */
export function timeOf(text: string): number {
  const time = Date.parse(text)
  if (Number.isNaN(time))
    throw new PalimpsestError('usage', `${text} is no date, such as 2026-03-31`)
  return time
}

function scopeOf(text: string, place: Place): Scope {
  if (text === 'user' || text === 'permanent') return 'user'
  if (text === 'project' && place.project === '')
    throw new PalimpsestError(
      'usage',
      'the project is not known: give the scope user, or set the header x-palimpsest-project where this client is configured',
    )
  if (text === 'project' || text === `project:${place.project}`) return `project:${place.project}`
  if (text === 'session' || text === `session:${place.session}`) return `session:${place.session}`
  if (/^team:./.test(text)) return text as Scope
  throw new PalimpsestError('usage', `${text} is no scope: user, project, session or team:NAME`)
}
