import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasProgram } from '../../../scripts/system-package.mjs'
import type { Operation } from '../../model/scenario.ts'
import { longFiles } from './long-scenario.ts'
import { receivedItems } from './received.ts'
import type { TerminalAct } from './serve-plan.ts'
import { hostCommand, hostTitle, type ServedSession, serveSession } from './served-session.ts'

const type = (text: string): TerminalAct => ({ kind: 'type', text })
const press = (key: string): TerminalAct => ({ kind: 'press', key })
const until = (text: string): TerminalAct => ({ kind: 'await', text })
const screen = (name: string): TerminalAct => ({ kind: 'screen', name })

/** A line that is sent, and what has to come of it. */
const enter = (line: string, answer: string): readonly TerminalAct[] => [
  type(line),
  until(line.trim()),
  press('Enter'),
  until(answer),
]

/** The commands, each with words that only its answer has. */
const commands: readonly TerminalAct[] = [
  // Without the space, the first Enter only takes the command from the list.
  ...enter('/acp ', 'explain HASH     how an item is shown'),
  ...enter('/palimpsest context', 'Pruning funnel:'),
  ...enter('/palimpsest list', 'by what would be gained:'),
  screen('list'),
  ...enter('/palimpsest prune {handle}', '✓ {handle} pruned'),
  ...enter('/palimpsest explain {handle}', 'shown as discarded'),
  ...enter('/palimpsest restore {handle}', '✓ {handle} is shown in full again'),
  ...enter('/palimpsest sweep 2', 'of 2 pruned'),
  ...enter('/palimpsest manual on', 'Manual mode is on'),
  ...enter('/acp manual off', 'Manual mode is off'),
  ...enter('/acp stats', 'Strategy Effectiveness:'),
]

const tool = (name: string, input: object): Operation => ({
  kind: 'raw',
  name,
  input: { ...input },
})

/** The conversation on the screen, up to the end of the last answer, without what is another each time: durations. */
function settled(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/\b[\d.]+m?s\b/, '…').trimEnd())
  const end = lines.findLastIndex((line) => line.includes('Commands ·'))
  return `${lines
    .slice(0, end + 1)
    .join('\n')
    .replace(/^\n+/, '')}\n`
}

/** How many calls the model saw shortened in the last request of the conversation. */
function prunedCalls({ requests }: ServedSession): number {
  const items = receivedItems(requests.at(-1)!)
  const isShortened = (line: string): boolean => / context_restore [0-9a-f]{6}\]$/.test(line)
  return items.filter((line) => line.startsWith('result ') && isShortened(line)).length
}

const hasTerminal = hasProgram('tmux')
const title = hostTitle('the plugin in the terminal of OpenCode')

describe.skipIf(hostCommand === null || !hasTerminal)(
  hasTerminal ? title : `${title} (skipped: no tmux, get it with \`npm test -- --all\`)`,
  () => {
    let session: ServedSession
    let screens: Readonly<Record<string, string>>

    beforeAll(async () => {
      session = await serveSession({
        files: longFiles,
        options: { turnProtection: 0 },
        scenario: (project) => ({
          aux: 'Reading a file twice',
          turns: [
            { operations: [{ kind: 'read', path: `${project}/a.ts` }] },
            { operations: [{ kind: 'read', path: `${project}/a.ts` }] },
            { text: 'Both reads are done.' },
            { operations: [{ kind: 'bash', command: 'seq 1 400' }] },
            {
              operations: [
                tool('context_prune', { action: 'discard', targets: [['{handle:const a1 =}']] }),
              ],
            },
            { text: 'It is pruned.' },
          ],
        }),
        steps: () => [
          {
            kind: 'terminal',
            acts: [
              until('Ask anything'),
              ...enter('Read it twice.', 'Both reads are done.'),
              ...enter('/palimpsest stats', 'All time'),
              // The host shows a block of code, and the line below it, when it is ready.
              until('Commands · '),
              screen('stats'),
              ...enter('Prune it.', 'It is pruned.'),
              screen('toast'),
              until('It is pruned.'),
              ...commands,
              screen('end'),
            ],
          },
        ],
      })
      screens = (session.answers[0]?.body ?? {}) as Readonly<Record<string, string>>
    }, 300_000)

    afterAll(() => session?.remove())

    it('answers /palimpsest stats behind a session, as the screen in docs/ shows', async () => {
      expect(screens.missed).toBe(undefined)
      // `npx vitest run test/e2e/opencode/terminal.test.ts -u` takes it anew.
      await expect(settled(screens.stats ?? '')).toMatchFileSnapshot(
        '../../../docs/opencode-terminal.txt',
      )
    })

    it('tells of a prune in a toast, and answers every command without a call to the model', () => {
      expect(screens.toast).toContain(`「 ⚙️ ${prunedCalls(session)}(`)
      expect(screens.end).toContain('Commands · ')
      const models = session.all.filter(({ turn }) => turn !== null)
      expect(models.length).toBe(6)
      expect(session.all.map(({ body }) => body).join()).not.toContain('Pruning funnel:')
    })
  },
)
