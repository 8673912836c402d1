/** A block of a prompt as the provider reads it: tools, then the system prompt, then messages. */
export interface PromptBlock {
  /** Equal texts are equal blocks. */
  readonly text: string
  readonly tokens: number
  /** The lifetime of the entry that the client asks for behind this block. */
  readonly breakpoint: '5m' | '1h' | null
}

export interface Prompt {
  readonly model: string
  readonly blocks: readonly PromptBlock[]
}

interface Marked {
  readonly cache_control?: { readonly ttl?: string }
}

/** Words cost a token for each seven letters, numbers one for each three digits, and signs one for each two. */
const pieces = / ?[A-Za-z]{1,7}|\d{1,3}|\s+| ?[^\sA-Za-z\d]{1,2}/g

export type TokenCounter = (text: string) => number

/** Counts tokens unlike the product does, which divides characters by four. */
export function createTokenCounter(): TokenCounter {
  const known = new Map<string, number>()
  return (text) => {
    const counted = known.get(text) ?? text.match(pieces)?.length ?? 0
    if (known.size > 5_000) known.clear()
    known.set(text, counted)
    return counted
  }
}

/** The blocks of a body of either API. */
export function promptOf(body: string, count: TokenCounter): Prompt {
  const { model, ...parts } = JSON.parse(body) as Record<string, unknown> & { model: string }
  const blocks = 'input' in parts ? responsesBlocks(parts) : messageBlocks(parts)
  const automatic = parts.cache_control as Marked['cache_control']
  return {
    model,
    blocks: blocks.map(({ value, role }, index) => {
      const { cache_control: asked, ...content } = value as Marked & object
      const text = `${role}${JSON.stringify(content)}`
      // Claude's automatic caching marks the last block.
      const marker = asked ?? (index === blocks.length - 1 ? automatic : undefined)
      return {
        text,
        tokens: count(text),
        breakpoint: marker === undefined ? null : marker.ttl === '1h' ? '1h' : '5m',
      }
    }),
  }
}

interface RawBlock {
  readonly role: string
  readonly value: unknown
}

function messageBlocks(parts: Readonly<Record<string, unknown>>): readonly RawBlock[] {
  const messages = (parts.messages as readonly { role: string; content: unknown }[]) ?? []
  return [
    ...listOf(parts.tools).map((value) => ({ role: 'tool ', value })),
    ...listOf(parts.system).map((value) => ({ role: 'system ', value })),
    ...messages.flatMap(({ role, content, ...rest }) => {
      // A chat message is one block, with its calls.
      const values = Array.isArray(content) ? content : [{ ...rest, text: content }]
      return values.map((value: unknown) => ({ role: `${role} `, value }))
    }),
  ]
}

function responsesBlocks(parts: Readonly<Record<string, unknown>>): readonly RawBlock[] {
  return [
    ...listOf(parts.tools).map((value) => ({ role: 'tool ', value })),
    ...listOf(parts.instructions).map((value) => ({ role: 'system ', value })),
    ...listOf(parts.input).map((value) => ({ role: '', value })),
  ]
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [{ text: value }]
}
