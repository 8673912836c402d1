import type { ItemDraft, MessageDraft } from '../../src/core/words/item.ts'
import type { ObjectFormatName } from '../../src/formats/format.ts'

/** Messages as the list that a host hands to its plugin or middleware. */
export function listOf(
  format: ObjectFormatName,
  messages: readonly MessageDraft[],
): readonly unknown[] {
  return format === 'ai-sdk' ? messages.flatMap(aiSdkMessages) : openCodeMessages(messages)
}

function inputOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return { input: text }
  }
}

function aiSdkMessages({ role, items }: MessageDraft): readonly object[] {
  const content = items.flatMap(aiSdkPart)
  return content.length === 0 ? [] : [{ role, content }]
}

function aiSdkPart(item: ItemDraft): readonly object[] {
  switch (item.kind) {
    case 'text':
      return [{ type: 'text', text: item.text }]
    case 'reasoning':
      return [
        {
          type: 'reasoning',
          text: item.binding === 'opaque' ? '' : item.text,
          ...aiSdkSignature(item.binding),
        },
      ]
    case 'call':
      return [
        {
          type: 'tool-call',
          toolCallId: item.call,
          toolName: item.tool,
          input: inputOf(item.text),
        },
      ]
    case 'result': {
      const type = item.status === 'error' ? 'error-text' : 'text'
      const output = { type, value: item.text }
      return [{ type: 'tool-result', toolCallId: item.call, toolName: item.tool, output }]
    }
    case 'attachment':
      return item.call === undefined
        ? [{ type: 'file', data: 'aGVsbG8h', mediaType: 'image/png' }]
        : []
    case 'marker':
      return []
  }
}

function aiSdkSignature(binding: 'plain' | 'signed' | 'opaque'): object {
  if (binding === 'plain') return {}
  const anthropic = binding === 'signed' ? { signature: 'c2ln' } : { redactedData: 'c2VhbGVk' }
  return { providerOptions: { anthropic } }
}

/** OpenCode keeps a call and its result in one part of the assistant's message. */
function openCodeMessages(messages: readonly MessageDraft[]): readonly unknown[] {
  const results = new Map(
    messages.flatMap(({ items }) =>
      items.flatMap((item) => (item.kind === 'result' ? [[item.call, item] as const] : [])),
    ),
  )
  return messages.flatMap(({ role, items }, index) => {
    if (role !== 'user' && role !== 'assistant') return []
    const messageID = `msg_${index}`
    const identified = (part: object, place: number): object => ({
      id: `prt_${index}_${place}`,
      sessionID: 'ses_golden',
      messageID,
      ...part,
    })
    const parts = items.flatMap((item) => openCodePart(item, results))
    return [
      { info: { id: messageID, sessionID: 'ses_golden', role }, parts: parts.map(identified) },
    ]
  })
}

type Result = Extract<ItemDraft, { readonly kind: 'result' }>

function openCodePart(item: ItemDraft, results: ReadonlyMap<string, Result>): readonly object[] {
  switch (item.kind) {
    case 'text':
      return [{ type: 'text', text: item.text }]
    case 'reasoning': {
      const metadata = item.binding === 'plain' ? {} : { anthropic: { signature: 'c2ln' } }
      return [{ type: 'reasoning', text: item.text, metadata, time: { start: 1, end: 2 } }]
    }
    case 'call': {
      const { call: callID, tool } = item
      return [{ type: 'tool', callID, tool, state: stateOf(item, results.get(callID)) }]
    }
    case 'attachment':
      return [
        { type: 'file', mime: 'image/png', filename: 'a.png', url: 'data:image/png;base64,aA==' },
      ]
    case 'marker':
      return item.marker === 'step-start' ? [{ type: 'step-start', snapshot: item.text }] : []
    case 'result':
      return []
  }
}

function stateOf({ text }: ItemDraft, result: Result | undefined): object {
  const input = inputOf(text)
  if (result === undefined) return { status: 'pending', input, raw: text }
  if (result.status === 'running') return { status: 'running', input, time: { start: 1 } }
  const time = { start: 1, end: 2 }
  return result.status === 'error'
    ? { status: 'error', input, error: result.text, time }
    : { status: 'completed', input, output: result.text, title: '', metadata: {}, time }
}
