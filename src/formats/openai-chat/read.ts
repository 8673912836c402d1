import { readBody } from '../body/read-body.ts'
import type { Body, RequestRead } from '../format.ts'
import { openaiChatDialect } from './dialect.ts'

/** Reads a request; never throws, and takes over from `previous` what both have in common. */
export function read(source: Body, previous?: RequestRead<Body>): RequestRead<Body> {
  return readBody(openaiChatDialect, source, previous)
}
