import type { Violation } from '../../src/formats/format.ts'
import { asString } from './json.ts'
import type { PromptBlock } from './prompt.ts'

/** The ids of the items of one answer of the Responses API, in order; the first one may be reasoning. */
export interface IssuedItems {
  readonly reasoning: string
  readonly following: readonly { readonly id: string; readonly type: string }[]
}

/**
 * An item that comes back with its id wants the reasoning that produced it, and reasoning wants what it produced.
 * Items without ids are plain content: nothing is demanded of them.
 */
export function checkResponseItems(
  blocks: readonly PromptBlock[],
  issued: readonly IssuedItems[],
): readonly Violation[] {
  const where = new Map(blocks.map((block) => [asString(block.block.id), block.where]))
  for (const { reasoning, following } of issued) {
    const returned = following.filter((item) => where.has(item.id))
    const orphan = returned[0]
    if (!where.has(reasoning) && orphan !== undefined) {
      return [
        {
          rule: 'openai-responses/item-without-reasoning',
          where: where.get(orphan.id)!,
          message: `Item '${orphan.id}' of type '${orphan.type}' was provided without its required 'reasoning' item: '${reasoning}'.`,
        },
      ]
    }
    if (where.has(reasoning) && following.length > 0 && isLast(blocks, reasoning)) {
      return [
        {
          rule: 'openai-responses/reasoning-without-item',
          where: where.get(reasoning)!,
          message: `Item '${reasoning}' of type 'reasoning' was provided without its required following item.`,
        },
      ]
    }
  }
  return []
}

const producedTypes: ReadonlySet<string> = new Set([
  'message',
  'function_call',
  'custom_tool_call',
  'reasoning',
])

function isLast(blocks: readonly PromptBlock[], reasoning: string): boolean {
  const index = blocks.findIndex(({ block }) => block.id === reasoning)
  const next = blocks[index + 1]?.block
  if (next === undefined) return true
  const type = asString(next.type ?? 'message')
  return !producedTypes.has(type) || (type === 'message' && next.role !== 'assistant')
}
