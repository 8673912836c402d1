import type { MessageDraft } from '../../src/core/words/item.ts'
import type { BodyFormatName } from '../../src/formats/format.ts'
import { bodyOf } from '../property/wire.ts'

/** The path that each format's requests go to. */
export const paths: Readonly<Record<BodyFormatName, string>> = {
  anthropic: '/v1/messages',
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  gemini: '/v1beta/models/gemini-3-pro:generateContent',
}

/** One turn: a call of a tool and its result. */
interface Step {
  readonly tool: string
  readonly input: object
  readonly result: string
}

export interface StoryOptions {
  readonly prompt?: string
  readonly turns?: number
  /** Another word in every result, so that two stories have nothing but their beginning in common. */
  readonly word?: string
}

/**
 * The requests of a session in which files are read, edited and read again, and a check is run after every edit: much
 * of it is replaced by what comes later.
 */
export function storyMessages(options: StoryOptions = {}): readonly (readonly MessageDraft[])[] {
  const { prompt = 'Rename the counter everywhere.', turns = 12, word = 'alpha' } = options
  const said: MessageDraft[] = [{ role: 'user', items: [{ kind: 'text', text: prompt }] }]
  const requests: (readonly MessageDraft[])[] = [[...said]]
  for (let turn = 0; turn < turns; turn++) {
    const { tool, input, result } = stepAt(turn, word)
    const call = `toolu_${word}_${turn}`
    said.push({
      role: 'assistant',
      items: [
        { kind: 'text', text: `Step ${turn} (${word}).` },
        { kind: 'call', tool, call, text: JSON.stringify(input) },
      ],
    })
    said.push({ role: 'tool', items: [{ kind: 'result', tool, call, status: 'ok', text: result }] })
    requests.push([...said])
  }
  return requests
}

export function storyBodies(format: BodyFormatName, options: StoryOptions = {}): readonly string[] {
  return storyMessages(options).map((messages) => bodyOf(format, messages))
}

function stepAt(turn: number, word: string): Step {
  const file = `/project/src/part-${Math.floor(turn / 4) % 2}.ts`
  switch (turn % 4) {
    case 0:
    case 3:
      return { tool: 'Read', input: { file_path: file }, result: fileText(word, turn) }
    case 1:
      return {
        tool: 'Bash',
        input: { command: 'npm test' },
        result: Array.from({ length: 300 }, (_, n) => `✓ case ${n} of ${word} passes`).join('\n'),
      }
    default:
      return {
        tool: 'Edit',
        input: { file_path: file, old_string: `line 3 of ${word}`, new_string: `row 3, ${turn}` },
        result: `The file ${file} has been updated.`,
      }
  }
}

function fileText(word: string, turn: number): string {
  const lines = Array.from({ length: 120 }, (_, n) =>
    n === 3 && turn % 4 === 3 ? `row 3, ${turn - 1}` : `line ${n} of ${word}`,
  )
  return lines.map((line, n) => `${n + 1}\t${line}`).join('\n')
}
