import { parseJson } from '../../core/words/json.ts'
import type { Body } from '../format.ts'
import { textAfter } from '../json/find-member.ts'
import type { Provider } from '../wire.ts'

/** OpenAI gets the requests that no other provider claims. */
export const openai: Provider = {
  name: 'openai',
  address: 'https://api.openai.com',
  claims: () => true,
}

/** OpenAI's clients name the session in the body. */
export function promptCacheKey(body: Body): string | null {
  const after = textAfter(body, '"prompt_cache_key"')
  const value = after === null ? undefined : /^\s*:\s*("(?:[^"\\]|\\.)*")/.exec(after)?.[1]
  const key = value === undefined ? null : parseJson(value)
  return typeof key === 'string' && key.trim() !== '' ? key : null
}
