import type { ReasoningDraft } from '../../core/words/item.ts'
import { isJsonObject } from '../../core/words/json.ts'

/** Provider options that bind reasoning to stored or signed data of the provider. */
const bindingFields = [
  'signature',
  'thoughtSignature',
  'redactedData',
  'reasoningEncryptedContent',
  'encryptedContent',
  'encrypted_content',
  'reasoningOpaque',
  'reasoning_details',
  'itemId',
]

/**
 * A reasoning part as an item, given its text and the options of each provider
 * (`{ anthropic: { signature } }`, `{ openai: { itemId, reasoningEncryptedContent } }`). null if it is empty.
 */
export function reasoningItem(text: string, providers: unknown): ReasoningDraft | null {
  const bound = isJsonObject(providers) ? Object.values(providers).flatMap(bindingsOf) : []
  if (text.trim() === '') {
    return bound.length === 0 ? null : { kind: 'reasoning', binding: 'opaque', text: '' }
  }
  return { kind: 'reasoning', binding: bound.length === 0 ? 'plain' : 'signed', text }
}

function bindingsOf(options: unknown): readonly string[] {
  if (!isJsonObject(options)) return []
  return bindingFields.filter((field) => {
    const value = options[field]
    return value !== undefined && value !== null && value !== ''
  })
}

/**
 * Why the text of a part cannot change, or null. Gemini also signs texts, calls and files, and verifies the signature.
 */
export function signedPartReason(providers: unknown): string | null {
  const isSigned =
    isJsonObject(providers) &&
    Object.values(providers).some((options) => bindingsOf(options).includes('thoughtSignature'))
  return isSigned ? 'the part carries a thought signature: it stays as it is' : null
}

export const signedReason = 'the reasoning is signed: it stays whole or goes whole'
