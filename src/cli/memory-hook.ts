import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import { errorMessage } from '../core/words/errors.ts'
import { objectOf, parseJson } from '../core/words/json.ts'
import { hearTurn } from '../memory/listen/listener.ts'
import { typedText } from '../memory/listen/new-turns.ts'
import { isLearning } from '../session/learning.ts'
import { type MemoryOptions, withMemory, withMemoryOptions } from './memory-open.ts'
import { type Terminal, writeJson, writeNotice } from './terminal.ts'

/** A hook of Claude Code for the event `UserPromptSubmit`. It never fails, because that would reject the prompt. */
export function hookCommand(terminal: Terminal, input: Readable): Command {
  return withMemoryOptions(new Command('hook'))
    .description("read the user's prompt from a hook of Claude Code and remember what it states")
    .addHelpText(
      'after',
      `
In ~/.claude/settings.json:
  {"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "palimpsest memory hook", "async": true}]}]}}`,
    )
    .action(async (options: MemoryOptions) => {
      try {
        await hear(terminal, options, objectOf(parseJson(await text(input))))
      } catch (problem) {
        writeNotice(terminal, `palimpsest: ${errorMessage(problem)}`)
      }
    })
}

async function hear(
  terminal: Terminal,
  options: MemoryOptions,
  { prompt, prompt_id: id, session_id: session, cwd }: Readonly<Record<string, unknown>>,
): Promise<void> {
  const said = typeof prompt === 'string' ? typedText(prompt) : ''
  if (said === '') return
  const place = {
    ...(typeof cwd === 'string' && options.project === undefined ? { project: cwd } : {}),
    ...(typeof session === 'string' && options.session === undefined ? { session } : {}),
  }
  await withMemory(terminal, { ...options, ...place }, async (opened) => {
    if (!isLearning(opened)) return
    const turn = {
      id: `hook_${typeof id === 'string' ? id : randomUUID()}`,
      role: 'user',
      text: said,
    } as const
    const lines = hearTurn(opened.memory, turn, opened.place)
    // Claude Code shows this to the user and not to the model.
    if (lines.length > 0) await writeJson(terminal, { systemMessage: lines.join('\n') })
  })
}
