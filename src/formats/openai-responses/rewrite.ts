import { rewriteBody } from '../body/rewrite-body.ts'
import type { Body, ItemChange, RequestRead, Rewritten } from '../format.ts'
import { openaiResponsesDialect } from './dialect.ts'

/** Splices changed items into the body; everything else stays byte for byte. */
export function rewrite(
  read: RequestRead<Body>,
  changes: readonly ItemChange[],
  from?: number,
): Rewritten<Body> {
  return rewriteBody(openaiResponsesDialect, read, changes, from)
}
