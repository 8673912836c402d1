import { createHash } from 'node:crypto'
import { arrayOf, objectOf } from '../../src/core/words/json.ts'
import type { Violation } from '../../src/formats/format.ts'
import type { ModelRequest } from './api.ts'
import { bindsReasoningToPrefix } from './families.ts'
import { asString } from './json.ts'
import { type PromptBlock, prefixHashes } from './prompt.ts'
import { checkResponseItems, type IssuedItems } from './response-items.ts'

/** A reasoning block that was given out. */
export interface IssuedReasoning {
  readonly signature: string
  /** The readable text that went with it; empty when withheld. */
  readonly text: string
  /** Hash of everything that the model had seen when it thought this. */
  readonly prefix: string
}

/** What a returning block is held against. */
export interface ReasoningLedger {
  /** Signs the reasoning of an answer to this request. */
  issue(request: ModelRequest, blocks: readonly PromptBlock[], text: string): IssuedReasoning
  /** Remembers which reasoning an answer began with, by the ids of its other items. */
  tie(signature: string, ids: readonly string[]): void
  /** Remembers ids that OpenAI gives to the items of one answer, in order. */
  tieItems(items: IssuedItems): void
  check(request: ModelRequest, blocks: readonly PromptBlock[]): readonly Violation[]
}

export function createReasoningLedger(seed: number): ReasoningLedger {
  const issued = new Map<string, IssuedReasoning>()
  const signatureOfCall = new Map<string, string>()
  const issuedItems: IssuedItems[] = []
  return {
    issue(request, blocks, text) {
      const prefix = prefixHashes(request.model, said(blocks)).at(-1)!
      const signature = createHash('sha512')
        .update(`${seed}:${issued.size}:${prefix}:${text}`)
        .digest('base64')
      const reasoning = { signature, text, prefix }
      issued.set(signature, reasoning)
      return reasoning
    },
    tie(signature, ids) {
      for (const id of ids) signatureOfCall.set(id, signature)
    },
    tieItems(items) {
      issuedItems.push(items)
    },
    check(request, blocks) {
      switch (request.api) {
        case 'anthropic':
          return checkThinking(request, said(blocks), issued, signatureOfCall)
        case 'openai-responses':
          return [...checkEncrypted(blocks, issued), ...checkResponseItems(blocks, issuedItems)]
        case 'gemini':
          return checkThoughts(blocks, issued)
        case 'openai-chat':
          return []
      }
    },
  }
}

/** Tools, system and messages: how much to think or which tool to take binds nothing. */
function said(blocks: readonly PromptBlock[]): readonly PromptBlock[] {
  return blocks.filter(({ section }) => section !== 'settings')
}

type Issued = ReadonlyMap<string, IssuedReasoning>

function checkThinking(
  request: ModelRequest,
  blocks: readonly PromptBlock[],
  issued: Issued,
  signatureOfCall: ReadonlyMap<string, string>,
): readonly Violation[] {
  const hashes = prefixHashes(request.model, blocks)
  const latest = latestAssistantMessage(blocks)
  const present = new Set<string>()
  for (const [index, { block, where }] of blocks.entries()) {
    const type = block.type
    if (type !== 'thinking' && type !== 'redacted_thinking') continue
    const signature = asString(type === 'thinking' ? block.signature : block.data)
    present.add(signature)
    const known = issued.get(signature)
    const altered = known !== undefined && known.text !== asString(block.thinking)
    if (altered && isIn(latest, where)) return [modified(where)]
    if (known === undefined || altered) {
      return [
        {
          rule: 'anthropic/reasoning-signature',
          where,
          message: `${where}: Invalid \`signature\` in \`${type}\` block`,
        },
      ]
    }
    const bound = bindsReasoningToPrefix(request.model) && !dropsMismatches(request)
    if (bound && known.prefix !== hashes[index]) {
      const message =
        `${where}: Invalid \`signature\` in \`${type}\` block. The block is bound to a different ` +
        'conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` ' +
        'to "drop_block".'
      return [{ rule: 'anthropic/reasoning-prefix', where, message }]
    }
  }
  if (!thinks(request)) return []
  return blocks
    .filter(({ block, where }) => block.type === 'tool_use' && isIn(latest, where))
    .filter(({ block }) => {
      const signature = signatureOfCall.get(asString(block.id))
      return signature !== undefined && !present.has(signature)
    })
    .slice(0, 1)
    .map(({ where }) => modified(where))
}

function modified(where: string): Violation {
  const message =
    `${where}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be ` +
    'modified. These blocks must remain as they were in the original response.'
  return { rule: 'anthropic/reasoning-modified', where, message }
}

function thinks(request: ModelRequest): boolean {
  const type = objectOf(request.body.thinking).type
  return type === 'enabled' || type === 'adaptive'
}

function dropsMismatches(request: ModelRequest): boolean {
  const binding = objectOf(objectOf(request.body.thinking).block_binding)
  return binding.prefix_mismatch_behavior === 'drop_block'
}

function latestAssistantMessage(blocks: readonly PromptBlock[]): string {
  const last = blocks.findLast((block) => block.role === 'assistant')
  return last === undefined ? '' : messageOf(last.where)
}

function isIn(message: string, where: string): boolean {
  return message !== '' && messageOf(where) === message
}

function messageOf(where: string): string {
  return where.split('.').slice(0, 2).join('.')
}

function checkEncrypted(blocks: readonly PromptBlock[], issued: Issued): readonly Violation[] {
  for (const { block, where } of blocks) {
    const encrypted = block.encrypted_content
    if (block.type !== 'reasoning' || typeof encrypted !== 'string') continue
    const known = issued.get(encrypted)
    const summary = arrayOf(block.summary).map((part) => asString(objectOf(part).text))
    if (known !== undefined && summary.join('') === known.text) continue
    const message =
      `The encrypted content ${encrypted.slice(0, 4)}...${encrypted.slice(-4)} could not be verified. ` +
      'Reason: Encrypted content could not be decrypted or parsed.'
    return [{ rule: 'openai-responses/encrypted-content', where, message }]
  }
  return []
}

// Accepted in place of a signature that a client lost: https://ai.google.dev/gemini-api/docs/thought-signatures
const signatureStandIns: ReadonlySet<string> = new Set([
  'skip_thought_signature_validator',
  'context_engineering_is_the_way_to_go',
])

function checkThoughts(blocks: readonly PromptBlock[], issued: Issued): readonly Violation[] {
  const unknown = blocks.find(({ block }) => {
    const signature = block.thoughtSignature ?? block.thought_signature
    if (typeof signature !== 'string' || signatureStandIns.has(signature)) return false
    return !issued.has(signature)
  })
  if (unknown === undefined) return []
  const message = 'Corrupted thought signature.'
  return [{ rule: 'gemini/thought-signature', where: unknown.where, message }]
}
