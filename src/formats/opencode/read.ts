import type { RequestRead } from '../format.ts'
import { readList } from '../object/read-list.ts'
import { opencodeDialect } from './dialect.ts'

type List = readonly unknown[]

export function read(source: List, previous?: RequestRead<List>): RequestRead<List> {
  return readList(opencodeDialect, source, previous)
}
