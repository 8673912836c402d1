import type { Story } from './gateway-session.ts'

const lines = Array.from({ length: 400 }, (_, n) => `checked case ${n + 1}: all fine`)

/** What the command of the story prints. */
export const printed: string = lines.join('\n')
export const restoreClosing = 'Case 200 is fine too.'

/** The output of a command is shortened on its way, and the model wants it back. */
export const restoreStory: Story = {
  prompt: 'Run the checks, and tell me about case 200.',
  project: (folder) => [{ path: `${folder}/package.json`, text: '{ "private": true }\n' }],
  scenario: () => ({
    aux: 'Checks',
    last: 'There is nothing left to do.',
    turns: [
      { operations: [{ kind: 'bash', command: 'seq -f "checked case %g: all fine" 1 400' }] },
      // Where a client loads its tools late, the first of these loads it.
      { operations: [{ kind: 'restore' }] },
      { operations: [{ kind: 'restore' }] },
      { text: restoreClosing },
    ],
  }),
}
