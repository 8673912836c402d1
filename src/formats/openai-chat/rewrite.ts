import { rewriteBody } from '../body/rewrite-body.ts'
import type { Body, ItemChange, RequestRead, Rewritten } from '../format.ts'
import { openaiChatDialect } from './dialect.ts'

/** Splices changed items into the body; everything else stays byte for byte. */
export function rewrite(
  read: RequestRead<Body>,
  changes: readonly ItemChange[],
  from?: number,
): Rewritten<Body> {
  return rewriteBody(openaiChatDialect, read, changes, from)
}
