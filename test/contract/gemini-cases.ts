import type { RuleCase } from './rule-case.ts'

const user = { role: 'user', parts: [{ text: 'Fix the parser.' }] }
const call = (rest: object = {}): object => ({
  functionCall: { name: 'read_file', args: { path: 'a.ts' } },
  ...rest,
})
const response = (output: string): object => ({
  functionResponse: { name: 'read_file', response: { output } },
})
const model = (...parts: object[]): object => ({ role: 'model', parts })
const users = (...parts: object[]): object => ({ role: 'user', parts })
const request = (...contents: unknown[]): object => ({ contents })
const id = (rule: string): string => `gemini/${rule}`
const signed = { thoughtSignature: 'c2lnbmVk' }

export const geminiCases: readonly RuleCase[] = [
  {
    scope: 'request',
    rule: id('not-json'),
    broken: '{contents: []}',
    kept: request(user),
    where: '',
    message: 'Invalid JSON payload received.',
  },
  {
    scope: 'request',
    rule: id('contents-required'),
    broken: { contents: [] },
    kept: { request: { contents: [user] } },
    where: 'contents',
    message: '* GenerateContentRequest.contents: contents is not specified',
  },
  {
    scope: 'request',
    rule: id('parts-empty'),
    broken: request(user, model(), user),
    kept: request(user, model({ text: '' }), user),
    where: 'contents[1].parts',
    message: '* GenerateContentRequest.contents[1].parts: contents.parts must not be empty.',
  },
  {
    scope: 'request',
    rule: id('part-without-data'),
    broken: request(user, model({ text: 'a' }, { thought: true }), user),
    kept: request(user, model({ text: 'a' }, { executableCode: { code: '1' } }), user),
    where: 'contents[1].parts[1]',
    message:
      "* GenerateContentRequest.contents[1].parts[1].data: required oneof field 'data' must have one initialized field",
  },
  {
    scope: 'request',
    rule: id('role-invalid'),
    broken: request({ role: 'assistant', parts: [{ text: 'a' }] }),
    kept: request({ parts: [{ text: 'a' }] }),
    where: 'contents[0].role',
    message: 'Please use a valid role: user, model.',
  },
  {
    scope: 'request',
    rule: id('response-count'),
    broken: request(user, model(call(), call()), users(response('a'))),
    kept: request(user, model(call(), call()), users(response('a'), response('b'))),
    where: 'contents[2]',
    message:
      'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
  },
  {
    scope: 'request',
    rule: id('response-without-call'),
    broken: request(user, model({ text: 'Hm.' }), users(response('a'))),
    kept: request(user, model({ text: 'Hm.' }, call()), users(response('a'))),
    where: 'contents[2]',
    message:
      'Please ensure that function response turn comes immediately after a function call turn.',
  },
  {
    scope: 'request',
    rule: id('call-without-user'),
    broken: request(model(call()), users(response('a'))),
    kept: request(user, model(call()), users(response('a'))),
    where: 'contents[0]',
    message:
      'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
  },
  {
    scope: 'request',
    rule: id('thought-signature-missing'),
    model: 'gemini-3-pro-preview',
    broken: request(user, model(call()), users(response('a'))),
    kept: request(
      user,
      model(call()),
      users(response('a')),
      model({ text: 'Done.' }),
      user,
      model(call(signed), call()),
      users(response('a'), response('b')),
      model(call({ thoughtSignature: 'skip_thought_signature_validator' })),
      users(response('a')),
    ),
    where: 'contents[1].parts[0]',
    message:
      'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call `default_api:read_file` , position 2. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.',
  },
  {
    scope: 'change',
    rule: id('thought-signature-altered'),
    before: request(
      user,
      model({ text: 'Hm.', thought: true }, call(signed)),
      users(response('a')),
    ),
    broken: request(user, model({ text: 'Hm.', thought: true }, call()), users(response('a'))),
    kept: request(user, model(call(signed)), users(response('pruned'))),
    where: 'contents[1].parts[1]',
    message: 'Corrupted thought signature.',
  },
  {
    scope: 'change',
    rule: id('contents-moved'),
    before: request(user, model({ text: 'Hm.' }), user),
    broken: request(user, user),
    kept: request(user, model({ text: '—' }), user, user),
    where: 'contents[1]',
    message: 'contents[1]: contents and their parts must stay, with their roles and in their order',
  },
  {
    scope: 'change',
    rule: id('ids-changed'),
    before: request(user, model(call()), users(response('a'))),
    broken: request(user, model({ functionCall: { name: 'write_file' } }), users(response('a'))),
    kept: request(user, model({ function_call: { name: 'read_file' } }), users(response('b'))),
    where: 'contents[1].parts[0]',
    message:
      'contents[1].parts[0]: the id and the name of a function call and of its response must stay',
  },
  {
    scope: 'change',
    rule: id('user-text-changed'),
    before: request(user),
    broken: request(users({ text: 'Fix it.' })),
    kept: request(users({ text: 'Fix the parser.' }, { text: 'A reminder.' })),
    where: 'contents[0].parts[0]',
    message: 'contents[0].parts[0]: text of the user must stay as it was',
  },
  {
    scope: 'change',
    rule: id('opaque-part-changed'),
    before: request(user, model({ executableCode: { code: '1' } }), user),
    broken: request(user, model({ executableCode: { code: '2' } }), user),
    kept: request(user, model({ executableCode: { code: '1' } }), user, user),
    where: 'contents[1].parts[0]',
    message: 'contents[1].parts[0]: a part that the provider made cannot be changed or left out',
  },
]
