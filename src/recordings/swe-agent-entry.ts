import type { ItemDraft } from '../core/words/item.ts'
import { arrayOf, isJsonObject, type JsonObject, objectOf } from '../core/words/json.ts'
import { attachmentItem, mediaOfUrl } from './attachment-items.ts'
import { contentText, outputText, textOf } from './json-fields.ts'
import type { UniqueCalls } from './unique-calls.ts'

export interface NamedCall {
  readonly call: string
  readonly tool: string
}

/** One assistant message and its calls. */
export interface SweAgentTurn {
  readonly items: readonly ItemDraft[]
  readonly calls: readonly NamedCall[]
}

/** Commands of SWE-agent and its extensions. Any other command runs in the shell. */
const commands: ReadonlySet<string> = new Set([
  'append',
  'close',
  'create',
  'edit',
  'exit_api',
  'exit_context',
  'exit_cost',
  'exit_error',
  'exit_forfeit',
  'exit_format',
  'filemap',
  'find_file',
  'goto',
  'insert',
  'open',
  'scroll_down',
  'scroll_up',
  'search_dir',
  'search_file',
  'skip',
  'str_replace_editor',
  'submit',
  'undo_edit',
  'view_image',
])

/**
 * Reads an assistant entry of the history, or a step of the trajectory, which has the same fields under other names.
 * Without recorded tool calls, the call is the command that SWE-agent extracted from the text.
 */
export function readTurn(entry: JsonObject, calls: UniqueCalls): SweAgentTurn {
  const items: ItemDraft[] = [...readThinking(entry.thinking_blocks)]
  const named: NamedCall[] = []
  const said = contentText(entry.content ?? entry.response ?? entry.output)
  const requested = arrayOf(entry.tool_calls).filter(isJsonObject)
  if (requested.length > 0) {
    pushText(items, said)
    for (const toolCall of requested) {
      const { name, arguments: input } = objectOf(toolCall.function)
      const tool = textOf(name) ?? ''
      const call = calls.issue(textOf(toolCall.id) ?? '', tool)
      items.push({ kind: 'call', tool, call, text: outputText(input) })
      named.push({ call, tool })
    }
    return { items, calls: named }
  }
  const action = (textOf(entry.action) ?? '').trimEnd()
  if (action.trim() === '') {
    pushText(items, said)
    return { items, calls: [] }
  }
  pushText(items, (textOf(entry.thought) ?? textBefore(said, action)).trimEnd())
  const word = /^\s*([\w-]+)/.exec(action)?.[1] ?? ''
  const tool = commands.has(word) ? word : 'bash'
  const call = calls.issue('', tool)
  items.push({ kind: 'call', tool, call, text: action })
  return { items, calls: [{ call, tool }] }
}

function pushText(items: ItemDraft[], text: string): void {
  if (text !== '') items.push({ kind: 'text', text })
}

/** The text before the command, for recordings without a separate `thought`. */
function textBefore(said: string, action: string): string {
  const start = said.indexOf(action)
  if (start === -1) return ''
  return said.slice(0, start).replace(/```[\w-]*\s*$/, '')
}

function readThinking(blocks: unknown): readonly ItemDraft[] {
  return arrayOf(blocks).flatMap((block): readonly ItemDraft[] => {
    const { thinking, signature, data } = objectOf(block)
    const text = textOf(thinking)
    if (text !== undefined) {
      const binding = textOf(signature) === undefined ? 'plain' : 'signed'
      return [{ kind: 'reasoning', binding, text }]
    }
    return textOf(data) === undefined ? [] : [{ kind: 'reasoning', binding: 'opaque', text: '' }]
  })
}

/** The text and images of a content that is a string or a list of blocks. */
export function readContent(content: unknown): readonly ItemDraft[] {
  const items: ItemDraft[] = []
  pushText(items, contentText(content))
  for (const block of arrayOf(content)) items.push(...readImage(block))
  return items
}

/** The image in a block; `call` is the call whose observation contains it. */
export function readImage(block: unknown, call?: string): readonly ItemDraft[] {
  const url = textOf(objectOf(objectOf(block).image_url).url)
  if (url === undefined) return []
  const media = mediaOfUrl(url, 'image')
  return [attachmentItem({ media, data: url, call })]
}
