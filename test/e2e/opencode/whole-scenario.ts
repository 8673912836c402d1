import type { ModelTurn, Operation, Scenario } from '../../model/scenario.ts'
import { fileText } from './long-scenario.ts'
import type { ServeStep } from './serve-plan.ts'
import type { WireFormat } from './served-session.ts'
import { begin, command, type NamedModel, post, restart, say, stored } from './steps.ts'

export const wholeFiles: Readonly<Record<string, string>> = {
  'a.ts': fileText('a', 80),
  'b.ts': fileText('b', 60),
  'c.ts': fileText('c', 50),
}

export const longAnswer: string = `The long answer begins here. ${'It goes on and on. '.repeat(20)}The long answer ends here.`

const tool = (name: string, input: ModelInput): Operation => ({ kind: 'raw', name, input })
type ModelInput = Extract<Operation, { readonly kind: 'raw' }>['input']
const bash = (line: string): ModelTurn => ({ operations: [{ kind: 'bash', command: line }] })
const todo = (status: 'pending' | 'in_progress'): ModelTurn => ({
  operations: [{ kind: 'todo', items: [{ content: 'The work', status }] }],
})

/** Everything that an agent and a user do with the plugin, in one host. */
export function wholeScenario(project: string, format: WireFormat): Scenario {
  const read = (name: string): Operation => ({ kind: 'read', path: `${project}/${name}` })
  const edit = editOf(project, format)
  return {
    aux: 'What was done so far.',
    last: 'Nothing more.',
    specials: [
      {
        firstUser: 'Sub work',
        turns: [
          { operations: [read('c.ts')] },
          { operations: [read('c.ts')] },
          { text: 'Sub done.' },
        ],
      },
      ...['alpha', 'beta'].map((name) => ({
        firstUser: `Work on ${name}`,
        turns: [
          { operations: [read(name === 'alpha' ? 'a.ts' : 'b.ts')] },
          { operations: [read(name === 'alpha' ? 'a.ts' : 'b.ts')] },
          { text: `${name} done.` },
        ],
      })),
    ],
    turns: [
      { operations: [read('a.ts'), read('b.ts')] },
      bash('seq 1 400'),
      { operations: [edit] },
      bash('pwd'),
      prune('discard', ['{handle:const b1 =}']),
      bash('echo next'),
      { operations: [tool('context_restore', { handle: '{handle:/b.ts lines}', lines: '20-22' })] },
      prune('distill', ['{handle:const a1 =}', 'KEY: a has 80 lines']),
      { operations: [tool('context_info', {})] },
      { text: longAnswer },
      prune('replace', ['The long answer begins', 'answer ends here.', 'A LONG ANSWER.']),
      { text: 'Replaced.' },
      { text: 'Restarted.' },
      { text: 'Forked.' },
      { text: 'Went another way.' },
      { text: 'Compacted.' },
      {
        operations: [
          tool('task', {
            description: 'Sub',
            prompt: 'Sub work please.',
            subagent_type: 'general',
          }),
        ],
      },
      { text: 'Delegated.' },
      todo('pending'),
      bash('echo 2'),
      todo('in_progress'),
      bash('echo 4'),
      todo('in_progress'),
      ...[6, 7, 8, 9, 10, 11, 12, 13, 14].map((turn) => bash(`echo ${turn}`)),
      { text: 'Flowed.' },
    ],
  }
}

/** GPT models get a tool of their own for changes. */
function editOf(project: string, format: WireFormat): Operation {
  const [before, after] = ['const a3 =', 'const A3 =']
  const intent = 'a name that stands out'
  if (format !== 'openai-responses') {
    const change = { filePath: `${project}/a.ts`, oldString: before, newString: after }
    return tool('edit', { ...change, intent })
  }
  const line = wholeFiles['a.ts']?.split('\n')[2] ?? ''
  const changed = [`-${line}`, `+${line.replace(before, after)}`]
  const patch = ['*** Begin Patch', '*** Update File: a.ts', '@@', ...changed, '*** End Patch']
  return tool('apply_patch', { patchText: patch.join('\n'), intent })
}

function prune(action: string, target: readonly string[]): ModelTurn {
  return { operations: [tool('context_prune', { action, targets: [[...target]] })] }
}

export const commands = [
  '',
  'stats',
  'context',
  'list',
  'manual on',
  'manual off',
  'nonsense',
] as const

/** The model that a compaction is asked for with. */
const models: Readonly<Record<WireFormat, NamedModel>> = {
  anthropic: { providerID: 'anthropic', modelID: 'claude-sonnet-4-5' },
  'openai-chat': { providerID: 'scripted', modelID: 'scripted-model' },
  'openai-responses': { providerID: 'openai', modelID: 'gpt-5.1' },
}

export function wholeSteps(format: WireFormat): readonly ServeStep[] {
  return [
    begin('s'),
    say('s', 'Look at it.'),
    ...commands.map((words) => command('s', words)),
    say('s', 'Replace it.'),
    ...restart,
    command('s', 'context'),
    say('s', 'After the restart.'),
    post('/session/{s}/fork', {}, 'f'),
    say('f', 'In the fork.'),
    { ...stored('s'), saveAs: 'last' },
    post('/session/{s}/revert', { messageID: '{last}' }),
    say('s', 'Another way.'),
    post('/session/{s}/summarize', models[format]),
    say('s', 'After the compaction.'),
    say('s', 'Use a sub-agent.'),
    begin('x'),
    begin('y'),
    { kind: 'together', calls: [say('x', 'Work on alpha.'), say('y', 'Work on beta.')] },
    begin('flow'),
    say('flow', 'Follow the flow.'),
    stored('s'),
  ]
}
