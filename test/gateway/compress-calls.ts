import type { JsonObject } from '../../src/core/words/json.ts'
import type { PromptPart } from '../property/prefix-cache.ts'
import { post } from './setting.ts'

/** What `/v1/compress` answers, as its callers read it. */
export interface CompressAnswer {
  readonly messages: readonly JsonObject[]
  readonly tokens_before: number
  readonly tokens_after: number
  readonly tokens_saved: number
  readonly compression_ratio: number
  readonly ccr_hashes: readonly string[]
}

export interface Called {
  readonly status: number
  readonly answer: CompressAnswer
  /** What the gateway says that it did. */
  readonly receipt: string
}

export const caller = { authorization: 'Bearer the-gateway' }

export async function compress(
  url: string,
  call: unknown,
  headers: Readonly<Record<string, string>> = caller,
): Promise<Called> {
  const body = typeof call === 'string' ? call : JSON.stringify(call)
  const reply = await post(`${url}/v1/compress`, body, headers)
  const answer = JSON.parse(reply.body) as CompressAnswer
  return { status: reply.status, answer, receipt: String(reply.headers['x-palimpsest']) }
}

export interface Retrieved {
  readonly status: number
  readonly original: string | undefined
}

export async function retrieve(
  url: string,
  hash: string,
  headers: Readonly<Record<string, string>> = caller,
): Promise<Retrieved> {
  const reply = await fetch(`${url}/v1/retrieve/${hash}`, { headers })
  const { original_content: original } = (await reply.json()) as { original_content?: string }
  return { status: reply.status, original }
}

/** Every marker in an answer, as LiteLLM looks for them. */
export function hashesIn(messages: unknown): readonly string[] {
  const found = JSON.stringify(messages).matchAll(/hash=([a-f0-9]{24})/g)
  return [...new Set([...found].map(([, hash = '']) => hash))]
}

/** The texts of a conversation that could be left out: results and inputs, in any shape. */
export function originalsIn(value: unknown): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (each: unknown): void => {
    if (typeof each === 'string') found.add(each)
    else if (Array.isArray(each)) {
      for (const part of each) visit(part)
    } else if (typeof each === 'object' && each !== null) {
      found.add(JSON.stringify(each))
      for (const part of Object.values(each)) visit(part)
    }
  }
  visit(value)
  return found
}

/** Messages as parts of a prompt, for a provider's cache. */
export function partsOf(messages: readonly unknown[]): readonly PromptPart[] {
  return messages.map((message) => {
    const text = JSON.stringify(message)
    return { id: text, size: text.length }
  })
}

/** How many leading messages of an answer are not those of the answer before; 0 when it only adds. */
export function changedBefore(before: readonly unknown[], after: readonly unknown[]): number {
  return before.filter((each, at) => JSON.stringify(each) !== JSON.stringify(after[at])).length
}

export function opensEpoch(receipt: string): boolean {
  return /(?:^|; )opened=/.test(receipt)
}
