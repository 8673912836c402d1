import { describe, expect, it } from 'vitest'
import { actionOf, readResult } from '../../../actions/index.ts'
import { createRecord } from '../../record/record.ts'
import { createOperations } from '../../track/operations.ts'
import type { MessageDraft } from '../../words/item.ts'
import type { Operation } from '../../words/operation.ts'
import { leastCheckedChars } from './age-checks.ts'
import type { NeedFeatures } from './features.ts'
import { NeedTracker } from './need-tracker.ts'

const code = `export function paintFence(): void {}\n${'// a line of code\n'.repeat(100)}`

const says = (role: 'user' | 'assistant', text: string): MessageDraft => ({
  role,
  items: [{ kind: 'text', text }],
})

const calls = (
  call: string,
  tool: string,
  input: object,
  output = 'ok',
): readonly MessageDraft[] => [
  { role: 'assistant', items: [{ kind: 'call', tool, call, text: JSON.stringify(input) }] },
  { role: 'tool', items: [{ kind: 'result', tool, call, text: output, status: 'ok' }] },
]

interface Followed {
  readonly tracker: NeedTracker
  readonly turn: number
  operation(call: string): Operation
}

function follow(messages: readonly MessageDraft[]): Followed {
  const record = createRecord()
  record.append(messages)
  const operations = createOperations({ action: (call) => actionOf(call), reading: readResult })
  const tracker = new NeedTracker()
  const completed = new Map<string, Operation>()
  let turn = 1
  for (const message of record.messages) {
    if (message.role === 'assistant') turn++
    for (const operation of operations.observe(message)) {
      tracker.observe(operation, turn)
      completed.set(operation.call.call, operation)
    }
    tracker.observeMessage(message)
  }
  return { tracker, turn, operation: (call) => completed.get(call) as Operation }
}

function featuresIn(messages: readonly MessageDraft[], call: string): NeedFeatures | null {
  const { tracker, turn, operation } = follow(messages)
  return tracker.featuresOf(operation(call), turn)
}

const read = calls('r', 'read', { filePath: '/p/src/fence.ts' }, code)
const edit = (id: string, filePath: string): readonly MessageDraft[] =>
  calls(id, 'edit', { filePath, oldString: 'a', newString: 'b' })

describe('the features of a result', () => {
  it('are counted from what came before it and since', () => {
    const messages = [
      says('user', 'Paint it: src/fence.ts, then src/gate.ts.'),
      ...edit('e0', '/p/src/fence.ts'),
      ...read,
      ...calls('g', 'read', { filePath: '/p/src/gate.ts' }, code),
      says('assistant', 'Now fence.ts needs paintFence.'),
      says('user', 'Go on.'),
      ...edit('e1', '/p/src/gate.ts'),
      ...calls('s', 'bash', { command: 'cat /p/src/fence.ts' }, 'short'),
      ...calls('t', 'bash', { command: 'npx vitest fence.ts' }, 'short'),
    ]
    expect(featuresIn(messages, 'r')).toEqual({
      isFileText: true,
      isShell: false,
      age: 5,
      arrivedAt: 3,
      isPartial: false,
      isTest: false,
      isDocument: false,
      editsSince: 0,
      sessionEditsSince: 1,
      nearEditsSince: 1,
      readsSince: 1,
      userSaid: 1,
      agentSaidSince: 1,
      namesSince: 1,
      userSince: 1,
      chars: code.length,
    })
    expect(featuresIn([...messages, ...edit('e2', '/p/src/fence.ts')], 'r')).toMatchObject({
      age: 6,
      editsSince: 1,
      sessionEditsSince: 2,
    })
  })

  it('tell file text from what programs and searches print, by whatever tool it came', () => {
    const text = 'x'.repeat(leastCheckedChars)
    const kindOf = (tool: string, input: object): unknown => {
      const features = featuresIn([...calls('a', tool, input, text)], 'a')
      return [features?.isFileText, features?.isShell, features?.isPartial]
    }
    expect(kindOf('read', { filePath: '/p/a.ts' })).toEqual([true, false, false])
    expect(kindOf('bash', { command: "sed -n '1,80p' a.ts" })).toEqual([true, false, true])
    expect(kindOf('bash', { command: 'tail -n 80 a.ts' })).toEqual([true, true, true])
    expect(kindOf('bash', { command: 'npm test' })).toEqual([false, true, false])
    expect(kindOf('bash', { command: 'cd /p && git diff -- a.ts' })).toEqual([true, true, false])
    expect(kindOf('bash', { command: 'git -C /p show HEAD~1' })).toEqual([true, true, false])
    expect(kindOf('bash', { command: 'git diff --stat' })).toEqual([false, true, false])
    expect(kindOf('grep', { pattern: 'x' })).toEqual([false, false, false])
  })

  it('know a test and a document by their path', () => {
    const text = 'x'.repeat(leastCheckedChars)
    const kindOf = (filePath: string): unknown => {
      const features = featuresIn([...calls('a', 'read', { filePath }, text)], 'a')
      return [features?.isTest, features?.isDocument]
    }
    expect(kindOf('/p/src/fence.test.ts')).toEqual([true, false])
    expect(kindOf('/p/tests/fence.py')).toEqual([true, false])
    expect(kindOf('/p/src/contest.ts')).toEqual([false, false])
    expect(kindOf('/p/README.md')).toEqual([false, true])
  })

  it('are not there for results that are too small to be asked about', () => {
    expect(featuresIn([...calls('a', 'read', { filePath: '/p/a.ts' }, 'short')], 'a')).toBeNull()
  })
})
