import type { ItemChange, RequestRead, Rewritten } from '../format.ts'
import { rewriteList } from '../object/rewrite-list.ts'
import { opencodeDialect } from './dialect.ts'

type List = readonly unknown[]

export function rewrite(read: RequestRead<List>, changes: readonly ItemChange[]): Rewritten<List> {
  return rewriteList(opencodeDialect, read, changes)
}
