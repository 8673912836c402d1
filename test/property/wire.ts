import type { ItemDraft, MessageDraft } from '../../src/core/words/item.ts'
import type { BodyFormatName } from '../../src/formats/format.ts'

/** Messages as the body of a request. Markers of the agent's own are not sent. */
export function bodyOf(format: BodyFormatName, messages: readonly MessageDraft[]): string {
  return JSON.stringify(writers[format](messages))
}

type Writer = (messages: readonly MessageDraft[]) => object

const png = 'aGVsbG8h'.repeat(40)

function objectIn(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // A tool's own text.
  }
  return null
}

const inputOf = (text: string): object => objectIn(text) ?? { input: text }

/** However it is spaced. */
const isObject = (text: string): boolean => objectIn(text) !== null

/** The attachments that came with a result. */
const attached = (items: readonly ItemDraft[], call: string): readonly ItemDraft[] =>
  items.filter((item) => item.kind === 'attachment' && item.call === call)

const anthropicImage = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: png },
}

function anthropicBlock(item: ItemDraft, items: readonly ItemDraft[]): readonly object[] {
  switch (item.kind) {
    case 'text':
      return item.text.trim() === '' ? [] : [{ type: 'text', text: item.text }]
    case 'reasoning':
      return [anthropicThinking(item)]
    case 'call':
      return [{ type: 'tool_use', id: item.call, name: item.tool, input: inputOf(item.text) }]
    case 'result': {
      const images = attached(items, item.call).map(() => anthropicImage)
      const content =
        images.length === 0 ? item.text : [{ type: 'text', text: item.text }, ...images]
      const failed = item.status === 'error' ? { is_error: true } : {}
      return [{ type: 'tool_result', tool_use_id: item.call, content, ...failed }]
    }
    case 'attachment':
      return item.call === undefined ? [anthropicImage] : []
    case 'marker':
      return []
  }
}

function anthropicThinking(item: Extract<ItemDraft, { readonly kind: 'reasoning' }>): object {
  if (item.binding === 'opaque') return { type: 'redacted_thinking', data: item.text }
  const signature = item.binding === 'signed' ? { signature: 'c2ln' } : {}
  return { type: 'thinking', thinking: item.text, ...signature }
}

const writers: Readonly<Record<BodyFormatName, Writer>> = {
  anthropic: (messages) => ({
    model: 'claude-sonnet-4-5',
    max_tokens: 1000,
    messages: messages.flatMap(({ role, items }) => {
      const content = items.flatMap((item) => anthropicBlock(item, items))
      if (content.length === 0) return []
      return [{ role: role === 'assistant' ? 'assistant' : 'user', content }]
    }),
  }),
  'openai-chat': (messages) => ({
    model: 'deepseek-v4-flash',
    messages: messages.flatMap((message) => chatMessages(message)),
  }),
  'openai-responses': (messages) => ({
    model: 'gpt-5.5',
    store: false,
    input: messages.flatMap(({ role, items }) =>
      items.flatMap((item) => responseItems(item, role, items)),
    ),
  }),
  gemini: (messages) => ({
    contents: messages.flatMap(({ role, items }) => {
      const parts = items.flatMap((item) => geminiParts(item))
      return parts.length === 0 ? [] : [{ role: role === 'assistant' ? 'model' : 'user', parts }]
    }),
  }),
}

function chatMessages({ role, items }: MessageDraft): readonly object[] {
  const texts = items.filter(({ kind }) => kind === 'text').map(({ text }) => text)
  if (role === 'tool') {
    return items.flatMap((item) =>
      item.kind === 'result' ? [{ role: 'tool', tool_call_id: item.call, content: item.text }] : [],
    )
  }
  if (role !== 'assistant') {
    const images = items.filter(({ kind }) => kind === 'attachment')
    const url = `data:image/png;base64,${png}`
    const parts = [
      ...texts.map((text) => ({ type: 'text', text })),
      ...images.map(() => ({ type: 'image_url', image_url: { url } })),
    ]
    return [{ role, content: images.length === 0 ? texts.join('\n') : parts }]
  }
  const calls = items.filter((item) => item.kind === 'call')
  const plain = items.find((item) => item.kind === 'reasoning' && item.binding === 'plain')
  return [
    {
      role,
      content: texts.join('\n'),
      ...(plain === undefined ? {} : { reasoning_content: plain.text }),
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: calls.map(({ call, tool, text }) => ({
              id: call,
              type: 'function',
              function: {
                name: tool,
                arguments: isObject(text) ? text : JSON.stringify({ input: text }),
              },
            })),
          }),
    },
  ]
}

function responseItems(
  item: ItemDraft,
  role: MessageDraft['role'],
  siblings: readonly ItemDraft[],
): readonly object[] {
  switch (item.kind) {
    case 'text': {
      const type = role === 'assistant' ? 'output_text' : 'input_text'
      const speaker = role === 'tool' ? 'user' : role
      return [{ type: 'message', role: speaker, content: [{ type, text: item.text }] }]
    }
    case 'reasoning': {
      const summary = item.binding === 'opaque' ? [] : [{ type: 'summary_text', text: item.text }]
      const sealed = item.binding === 'plain' ? {} : { encrypted_content: 'gAAAAABsealed' }
      return [{ type: 'reasoning', summary, ...sealed }]
    }
    case 'call':
      return isObject(item.text)
        ? [{ type: 'function_call', call_id: item.call, name: item.tool, arguments: item.text }]
        : [{ type: 'custom_tool_call', call_id: item.call, name: item.tool, input: item.text }]
    case 'result': {
      const custom = item.tool === 'apply_patch' ? 'custom_tool' : 'function'
      const images = attached(siblings, item.call).map(() => ({
        type: 'input_image',
        image_url: `data:image/png;base64,${png}`,
      }))
      const output =
        images.length === 0 ? item.text : [{ type: 'input_text', text: item.text }, ...images]
      return [{ type: `${custom}_call_output`, call_id: item.call, output }]
    }
    default:
      return []
  }
}

function geminiParts(item: ItemDraft): readonly object[] {
  switch (item.kind) {
    case 'text':
      return [{ text: item.text }]
    case 'reasoning': {
      if (item.binding === 'opaque') return [{ text: '', thoughtSignature: 'c2VhbGVk' }]
      const signature = item.binding === 'signed' ? { thoughtSignature: 'c2ln' } : {}
      return [{ text: item.text, thought: true, ...signature }]
    }
    case 'call':
      return [{ functionCall: { id: item.call, name: item.tool, args: inputOf(item.text) } }]
    case 'result': {
      const key = item.status === 'error' ? 'error' : 'output'
      const response = { id: item.call, name: item.tool, response: { [key]: item.text } }
      return [{ functionResponse: response }]
    }
    case 'attachment':
      return item.call === undefined ? [{ inlineData: { mimeType: 'image/png', data: png } }] : []
    case 'marker':
      return []
  }
}
