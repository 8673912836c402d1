import type { JsonObject } from '../../src/core/words/json.ts'
import type { Api } from './api.ts'

/** An error as a provider answers it: status and envelope. */
export interface ErrorAnswer {
  readonly status: number
  readonly body: JsonObject
}

const anthropicTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

const openAiTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'invalid_request_error',
  404: 'invalid_request_error',
  429: 'rate_limit_exceeded',
}

const geminiStatuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
}

const openAiCodes: Readonly<Record<string, string>> = {
  'openai-responses/encrypted-content': 'invalid_encrypted_content',
}

/** The provider's envelope around a message. `rule` gives the error its code where the provider has one for it. */
export function errorAnswer(
  api: Api,
  status: number,
  message: string,
  detail: { readonly requestId: string; readonly rule?: string; readonly where?: string },
): ErrorAnswer {
  switch (api) {
    case 'anthropic': {
      const type = anthropicTypes[status] ?? 'api_error'
      const error = { type, message }
      return { status, body: { type: 'error', error, request_id: detail.requestId } }
    }
    case 'openai-chat':
    case 'openai-responses': {
      const type = openAiTypes[status] ?? 'server_error'
      const code = openAiCodes[detail.rule ?? ''] ?? null
      return { status, body: { error: { message, type, param: detail.where ?? null, code } } }
    }
    case 'gemini': {
      const error = { code: status, message, status: geminiStatuses[status] ?? 'INTERNAL' }
      return { status, body: { error } }
    }
  }
}
