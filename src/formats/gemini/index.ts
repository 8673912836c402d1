import type { Body, Format } from '../format.ts'
import { read } from './read.ts'
import { rewrite } from './rewrite.ts'
import { validate } from './validate.ts'
import { validateChange } from './validate-change.ts'

/** Bodies of Gemini's `generateContent` and `streamGenerateContent`. */
export const gemini: Format<Body> = { name: 'gemini', read, rewrite, validate, validateChange }
