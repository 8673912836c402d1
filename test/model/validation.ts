import type { Body, Violation } from '../../src/formats/format.ts'
import { bodyFormats } from '../../src/formats/index.ts'
import type { Api } from './api.ts'

/** Checks one request as its provider would. */
export type Validate = (api: Api, body: Body, model: string) => readonly Violation[]

export const validateBody: Validate = (api, body, model) =>
  bodyFormats[api].validate(body, { model })
