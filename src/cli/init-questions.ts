import { confirm, isCancel, log, multiselect } from '@clack/prompts'
import type { Agent } from '../setup/agent.ts'
import { visibleWithCodes } from './visible-text.ts'

/** The questions of `init`. null: the user cancelled. */
export interface InitQuestions {
  agents(found: readonly Agent[]): Promise<readonly Agent[] | null>
  yes(question: string, isDefault: boolean): Promise<boolean | null>
  show(lines: readonly string[]): void
}

/** Asks in the terminal. Standard output stays free for results. */
export function terminalQuestions(): InitQuestions {
  const output = process.stderr
  return {
    async agents(found) {
      const answer = await multiselect({
        message: 'Which agents should go through Palimpsest?',
        options: found.map((agent) => ({ value: agent.id, label: agent.name })),
        initialValues: found.map(({ id }) => id),
        output,
      })
      return isCancel(answer) ? null : found.filter(({ id }) => answer.includes(id))
    },
    async yes(message, initialValue) {
      const answer = await confirm({ message, initialValue, output })
      return isCancel(answer) ? null : answer
    },
    show: (lines) => log.message(lines.map(visibleWithCodes), { output }),
  }
}
