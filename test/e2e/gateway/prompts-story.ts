import type { ModelTurn, Scenario } from '../../model/scenario.ts'
import type { Story } from './gateway-session.ts'

const lines = Array.from({ length: 160 }, (_, n) => `export const part${n} = 'number ${n} of many'`)
const closings = ['The check is written.', 'It still holds.', 'Nothing has changed.', 'Two files.']

/** What the model says last about each prompt. */
export const promptClosings: readonly string[] = closings

/**
 * Three prompts of one conversation and one of another. The first makes a file, so that the folder that some clients
 * describe at the beginning of a conversation is another one when the next prompt comes.
 */
export const promptsStory: Story = {
  prompt: 'Write a check for the parts and run it.',
  more: ['Run the check again.', 'And once more, please.'],
  afresh: 'Which files are there?',
  project: (folder) => [
    { path: `${folder}/package.json`, text: '{ "type": "module", "private": true }\n' },
    { path: `${folder}/src/parts.js`, text: `${lines.join('\n')}\n` },
  ],
  scenario: promptsScenario,
}

function promptsScenario(folder: string): Scenario {
  const read: ModelTurn = { operations: [{ kind: 'read', path: `${folder}/src/parts.js` }] }
  const check = (run: number): ModelTurn => ({
    operations: [{ kind: 'bash', command: `seq -f "run ${run}, part %g: fine" 1 400` }],
  })
  const closing = (prompt: number): ModelTurn => ({ text: closings[prompt] as string })
  return {
    aux: 'A check for the parts',
    last: 'There is nothing left to do.',
    // Gemini CLI sends every result twice when it goes on with a session (google-gemini/gemini-cli#29365).
    lenient: ['gemini/response-count'],
    turns: [
      read,
      {
        operations: [
          { kind: 'write', path: `${folder}/check.js`, content: "import './src/parts.js'\n" },
        ],
      },
      check(1),
      read,
      closing(0),
      check(2),
      read,
      closing(1),
      read,
      check(3),
      closing(2),
      { operations: [{ kind: 'bash', command: 'ls' }] },
      closing(3),
    ],
  }
}

/** The turns of each prompt, from 0. */
export const promptTurns: readonly (readonly number[])[] = [
  [0, 1, 2, 3, 4],
  [5, 6, 7],
  [8, 9, 10],
  [11, 12],
]
