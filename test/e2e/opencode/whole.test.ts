import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LoggedRequest } from '../../model/server.ts'
import { isShortRun } from '../installed-client.ts'
import { receivedItems } from './received.ts'
import {
  hostCommand,
  hostTitle,
  type ServedSession,
  serveSession,
  wireFormats,
} from './served-session.ts'
import { answerText } from './steps.ts'
import { commands, longAnswer, wholeFiles, wholeScenario, wholeSteps } from './whole-scenario.ts'

// With GPT-5 models, which have openai-responses here, the host changes files by patches instead of edits.
const formats = isShortRun ? (['anthropic', 'openai-responses'] as const) : wireFormats

describe.skipIf(hostCommand === null).each(formats)(
  hostTitle('the plugin in OpenCode over %s'),
  (format) => {
    let session: ServedSession
    /** The request that the model answered with this turn of the script. */
    const request = (turn: number): LoggedRequest =>
      session.requests.find((each) => each.turn === turn) ?? ({ body: '' } as LoggedRequest)
    const shown = (turn: number): readonly string[] => receivedItems(request(turn))
    const text = (turn: number): string => shown(turn).join('\n')
    const continues = (later: number, earlier: number): void =>
      expect(shown(later).slice(0, shown(earlier).length)).toEqual(shown(earlier))

    beforeAll(async () => {
      session = await serveSession({
        files: wholeFiles,
        format,
        scenario: (project) => wholeScenario(project, format),
        steps: () => wholeSteps(format),
        options: {
          turnProtection: 0,
          editIntent: true,
          tools: { todoReminder: { enabled: true } },
        },
      })
    }, 500_000)

    afterAll(() => session?.remove())

    it('answers everything without an error, and every request is valid', () => {
      expect(session.answers.map(({ status }) => status)).toEqual(session.answers.map(() => 200))
      expect(session.all.flatMap(({ violations }) => violations)).toEqual([])
      expect(session.requests.length).toBe(wholeScenario('', format).turns.length)
    })

    it('discards what the agent names: the next request lacks it', () => {
      expect(text(4)).toContain('const b30 =')
      expect(text(5)).toContain('✓')
      expect(text(5)).not.toContain('const b30 =')
      expect(text(5)).toMatch(/b\.ts lines 1–60 · discarded by you · context_restore [0-9a-f]{6}/)
    })

    it('restores a part at the tail, and changes nothing before it', () => {
      continues(7, 6)
      expect(shown(7).at(-1)).toContain('const b18 =')
      expect(shown(7).at(-1)).not.toContain('const b30 =')
    })

    it('distils and replaces, and what was kept survives later prunes', () => {
      expect(text(8)).toContain('KEY: a has 80 lines')
      expect(text(8)).not.toContain('const a40 =')
      expect(text(11)).toContain('KEY: a has 80 lines')
      expect(text(10)).toContain(longAnswer)
      expect(text(11)).not.toContain(longAnswer)
      expect(text(11)).toContain('A LONG ANSWER.')
    })

    it('tells the agent how full its context is', () => {
      expect(text(9)).toMatch(/Context: ~[\d.]+K of 200K tokens \(\d+%\), pressure light/)
    })

    it('offers an intent with edits, which reaches the record and not the tool', () => {
      expect(request(0).body).toContain('"intent"')
      expect(text(3)).toMatch(/Edit applied successfully|Success\. Updated/)
      expect(text(3)).toContain('a name that stands out')
    })

    it('shows handles behind large outputs only', () => {
      const results = shown(3).filter((line) => line.startsWith('result '))
      expect(results.map((line) => /\[handle [0-9a-f]{6}\]$/.test(line))).toEqual([
        true,
        true,
        true,
        false,
      ])
    })

    it('answers commands without a call to the model, and leaves no trace of them in a request', () => {
      const answers = session.answers
        .slice(2, 2 + commands.length)
        .map(({ body }) => answerText(body))
      expect(answers[0]).toContain('  sweep [n]')
      expect(answers[1]).toContain('Strategy Effectiveness:')
      expect(answers[2]).toContain('Pruning funnel:')
      expect(answers[3]).toContain('seq 1 400')
      expect(answers[4]).toContain('Manual mode is on')
      expect(text(10)).not.toContain('Pruning funnel:')
      continues(10, 9)
    })

    it('goes on after a restart with the same bytes, and answers commands from what is stored', () => {
      continues(12, 11)
      expect(answerText(session.answers[3 + commands.length]?.body)).toContain('Pruning funnel:')
    })

    it('gives a fork what was decided before it', () => {
      continues(13, 12)
      expect(text(13)).toContain('In the fork.')
    })

    it('follows an undo', () => {
      expect(text(14)).toContain('Another way.')
      expect(text(14)).not.toContain('After the restart.')
      expect(shown(14).slice(0, -1)).toEqual(shown(12).slice(0, shown(14).length - 1))
    })

    it('shows a compaction what the model saw, and goes on behind it', () => {
      const summary = session.all.find(({ kind }) => kind === 'aux')
      expect(summary?.body).toContain('KEY: a has 80 lines')
      expect(summary?.body).not.toContain('const a10 =')
      expect(text(15)).toContain('What was done so far.')
      expect(text(15)).not.toContain('const b30 =')
    })

    it('covers sub-agents', () => {
      const sub = session.all.filter(
        ({ kind, body }) => kind === 'special' && body.includes('Sub work'),
      )
      const last = receivedItems(sub.at(-1)!).join('\n')
      expect(last).toMatch(/same file lines as in `read [^`]*c\.ts lines 1–50` above/)
    })

    it('keeps two conversations apart that run at once', () => {
      for (const [own, path] of [
        ['alpha', 'a.ts'],
        ['beta', 'b.ts'],
      ] as const) {
        const all = session.all.filter(({ body }) => body.includes(`Work on ${own}.`))
        expect(all.length).toBe(3)
        const last = receivedItems(all.at(-1)!)
        expect(last.at(-1)).toMatch(
          new RegExp(`same file lines as in \`read [^\`]*${path} lines 1–\\d+\` above`),
        )
      }
    })

    it('reminds by the flow of the documents: at turn 11 of the list, at turn 15 of the stuck task', () => {
      const flow = session.requests.filter(({ body }) => body.includes('Follow the flow.'))
      const reminded = flow.flatMap(({ body }, at) =>
        body.includes('The task list was') ? [at + 1] : [],
      )
      // The list last changed at turn 3: eight turns later, then every four.
      expect(reminded).toEqual([11, 15])
      expect(flow[14]?.body).toContain('A task has been in progress for 12 turns.')
      expect(flow[10]?.body).not.toContain('A task has been in progress')
      expect(JSON.stringify(session.answers.at(-1)?.body)).not.toContain('The task list was')
    })

    it('never alters what the host has stored', () => {
      const kept = JSON.stringify(session.answers.at(-1)?.body)
      for (const pruned of ['const b30 =', 'const a40 =', longAnswer])
        expect(kept).toContain(pruned)
      expect(kept).not.toContain('[handle ')
    })
  },
)
