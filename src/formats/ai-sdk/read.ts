import type { RequestRead } from '../format.ts'
import { readList } from '../object/read-list.ts'
import { aiSdkDialect } from './dialect.ts'

type List = readonly unknown[]

export function read(source: List, previous?: RequestRead<List>): RequestRead<List> {
  return readList(aiSdkDialect, source, previous)
}
