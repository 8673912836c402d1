import { createHash } from 'node:crypto'
import { arrayOf, isJsonObject, type JsonObject, objectOf } from '../../src/core/words/json.ts'
import type { ModelRequest } from './api.ts'
import { asString, stableJson } from './json.ts'

export type CacheLifetime = '5m' | '1h'

/** A piece of the prompt, in the order in which the provider lays it out for the model. */
export interface PromptBlock {
  readonly section: 'tools' | 'system' | 'settings' | 'messages'
  /** A path such as `messages.3.content.0`. */
  readonly where: string
  /** The block as the client sent it, or what its shorthand stands for. */
  readonly block: JsonObject
  readonly role: string
  /** What the model sees: equal text for equal meaning, marks for the cache aside. */
  readonly text: string
  readonly breakpoint: CacheLifetime | null
}

/** Every block of a request: tools, system, what both depend on, messages. */
export function promptBlocks(request: ModelRequest): readonly PromptBlock[] {
  const { body } = request
  switch (request.api) {
    case 'anthropic':
      return anthropicBlocks(body)
    case 'openai-chat':
      return [...list('tools', body, 'tools'), ...list('messages', body, 'messages')]
    case 'openai-responses':
      return [
        ...list('tools', body, 'tools'),
        ...content('system', 'instructions', 'system', body.instructions),
        ...(typeof body.input === 'string'
          ? content('messages', 'input', 'user', body.input)
          : list('messages', body, 'input')),
      ]
    case 'gemini':
      return [
        ...list('tools', body, 'tools'),
        ...geminiContent('system', 'systemInstruction', body.systemInstruction),
        ...arrayOf(body.contents).flatMap((entry, index) =>
          geminiContent('messages', `contents.${index}`, entry),
        ),
      ]
  }
}

/** For each block, the hash of everything before it; one more at the end, for what would come next. */
export function prefixHashes(model: string, blocks: readonly PromptBlock[]): readonly string[] {
  const hashes = [hash(model)]
  for (const block of blocks) hashes.push(hash(`${hashes.at(-1)}\n${block.text}`))
  return hashes
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function anthropicBlocks(body: JsonObject): readonly PromptBlock[] {
  // A change of these keeps the cache of tools and system, and loses that of the messages.
  const { thinking = null, tool_choice: toolChoice = null } = body
  const settings = promptBlock('settings', 'thinking', '', objectOf({ thinking, toolChoice }))
  const blocks = [
    ...list('tools', body, 'tools'),
    ...content('system', 'system', 'system', body.system),
    settings,
    ...arrayOf(body.messages).flatMap((entry, index) => {
      const message = objectOf(entry)
      return content(
        'messages',
        `messages.${index}.content`,
        asString(message.role),
        message.content,
      )
    }),
  ]
  const automatic = lifetimeOf(body)
  const last = blocks.at(-1)
  if (automatic === null || last === undefined) return blocks
  return [...blocks.slice(0, -1), { ...last, breakpoint: last.breakpoint ?? automatic }]
}

function list(
  section: PromptBlock['section'],
  body: JsonObject,
  field: string,
): readonly PromptBlock[] {
  return arrayOf(body[field]).map((entry, index) => {
    const block = objectOf(entry)
    return promptBlock(section, `${field}.${index}`, asString(block.role), block)
  })
}

/** Content that is a string or a list of blocks: one is a shorthand for the other. */
function content(
  section: PromptBlock['section'],
  where: string,
  role: string,
  value: unknown,
): readonly PromptBlock[] {
  if (typeof value === 'string') {
    return [promptBlock(section, where, role, { type: 'text', text: value })]
  }
  return arrayOf(value).map((entry, index) =>
    promptBlock(section, `${where}.${index}`, role, objectOf(entry)),
  )
}

function geminiContent(
  section: PromptBlock['section'],
  where: string,
  value: unknown,
): readonly PromptBlock[] {
  if (typeof value === 'string') return [promptBlock(section, where, 'user', { text: value })]
  const entry = objectOf(value)
  return arrayOf(entry.parts).map((part, index) =>
    promptBlock(section, `${where}.parts.${index}`, asString(entry.role), objectOf(part)),
  )
}

function promptBlock(
  section: PromptBlock['section'],
  where: string,
  role: string,
  block: JsonObject,
): PromptBlock {
  const text = `${role}:${stableJson(withoutCacheMarks(block))}`
  return { section, where, block, role, text, breakpoint: lifetimeOf(block) }
}

function lifetimeOf(block: JsonObject): CacheLifetime | null {
  const mark = block.cache_control
  if (isJsonObject(mark)) return mark.ttl === '1h' ? '1h' : '5m'
  // A mark may also stand inside a tool result.
  if (block.type !== 'tool_result') return null
  const inner = arrayOf(block.content).map((entry) => lifetimeOf(objectOf(entry)))
  return inner.find((lifetime) => lifetime !== null) ?? null
}

function withoutCacheMarks(block: JsonObject): JsonObject {
  const { cache_control: _mark, ...rest } = block
  if (block.type !== 'tool_result') return rest
  if (typeof rest.content === 'string') {
    return { ...rest, content: [{ type: 'text', text: rest.content }] }
  }
  const inner = arrayOf(rest.content).map((entry) => withoutCacheMarks(objectOf(entry)))
  return { ...rest, content: inner }
}
