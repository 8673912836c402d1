import { expect, it } from 'vitest'
import { gemini } from './index.ts'

const { validate } = gemini

const user = { role: 'user', parts: [{ text: 'Fix the parser.' }] }
const call = (rest: object = {}): object => ({ functionCall: { name: 'ls', args: {} }, ...rest })
const response = { functionResponse: { name: 'ls', response: { output: 'a' } } }
const signed = { thoughtSignature: 'c2ln' }
const model = (...parts: object[]): object => ({ role: 'model', parts })

function brokenBy(contents: readonly unknown[], name = 'gemini-3-pro-preview'): readonly string[] {
  return validate(JSON.stringify({ contents }), { model: name }).map(
    ({ rule, where }) => `${rule} ${where}`,
  )
}

it('asks each step of the current turn for its own signature, and the first of parallel calls only', () => {
  const answers = { role: 'user', parts: [response, response] }
  const answer = { role: 'user', parts: [response] }
  expect(brokenBy([user, model(call(signed), call()), answers, model(call()), answer])).toEqual([
    'gemini/thought-signature-missing contents[3].parts[0]',
  ])
})

it('asks no earlier model for signatures, and nobody when the model is not known', () => {
  const contents = [user, model(call()), { role: 'user', parts: [response] }]
  expect(brokenBy(contents, 'gemini-2.5-pro')).toEqual([])
  expect(validate(JSON.stringify({ contents }))).toEqual([])
})

it('reads snake_case as the API does', () => {
  const contents = [
    user,
    model({ function_call: { name: 'ls', args: {} }, thought_signature: 'c2ln' }),
    { role: 'function', parts: [{ function_response: { name: 'ls', response: {} } }] },
  ]
  expect(brokenBy(contents)).toEqual([])
})

it('counts responses that come in several contents of one turn', () => {
  const answer = { role: 'user', parts: [response] }
  expect(brokenBy([user, model(call(signed), call()), answer, answer])).toEqual([])
  expect(brokenBy([user, model(call(signed)), user])).toEqual(['gemini/response-count contents[2]'])
})
