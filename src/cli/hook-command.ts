import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { Command } from 'commander'
import { openPauses } from '../config/pauses.ts'
import { errorMessage } from '../core/words/errors.ts'
import { arrayOf, isJsonObject, objectOf, parseJson } from '../core/words/json.ts'
import { typedText } from '../memory/listen/new-turns.ts'
import { admitOutput } from '../session/admit-output.ts'
import { openStore } from '../store/index.ts'
import { chosenSetup, type SetupOptions, withStoreOptions } from './chosen-store.ts'
import { seenStore } from './own-token.ts'
import { writeRestoreLauncher } from './restore-launcher.ts'
import { type Terminal, writeJson, writeNotice } from './terminal.ts'

/** Claude Code's `PostToolUse` hook. It never fails: then the model gets the output as it is. */
export function toolHookCommand(terminal: Terminal): Command {
  return withStoreOptions(new Command('hook'))
    .description("shorten one large output from Claude Code's PostToolUse hook")
    .addHelpText(
      'after',
      `
\`palimpsest init --hooks\` sets it up. Reads the hook's JSON from standard input. Prints nothing for an output that
stays as it is.`,
    )
    .action(async (options: SetupOptions) => {
      try {
        const answer = await answerTo(objectOf(parseJson(terminal.piped ?? '')), terminal, options)
        if (answer !== null) await writeJson(terminal, answer)
      } catch (problem) {
        writeNotice(terminal, `palimpsest: ${errorMessage(problem)}`)
      }
    })
}

/** null for everything but the output of a shell command: there alone is it certain that the agent can restore it. */
async function answerTo(
  event: Readonly<Record<string, unknown>>,
  terminal: Terminal,
  options: SetupOptions,
): Promise<object | null> {
  const { hook_event_name: name, tool_name: tool, tool_use_id: call, session_id: session } = event
  const response = objectOf(event.tool_response)
  const { stdout } = response
  if (name !== 'PostToolUse' || tool !== 'Bash' || typeof stdout !== 'string') return null
  if (typeof session !== 'string' || typeof call !== 'string') return null
  // Claude Code writes output of more than 30,000 characters to a file, and shows its beginning.
  if (response.isImage === true || response.persistedOutputPath !== undefined) return null
  const cwd = typeof event.cwd === 'string' ? event.cwd : terminal.cwd
  const { config, location } = chosenSetup({ ...terminal, cwd }, options)
  if (openPauses(terminal.home, terminal.now).isPaused(session, sessionName(session))) return null
  const isConfigured = options.store === undefined && options.config === undefined
  const restore = writeRestoreLauncher({ terminal, location, isConfigured })
  if (restore === null) return null
  const store = await openStore(location, { now: terminal.now })
  try {
    const own = await seenStore(store, terminal.now())
    const shown = await admitOutput(own, config, {
      ...{ session: sessionName(session), origin: 'claude-code', cwd, tool, call, restore },
      at: terminal.now(),
      prompt: lastPrompt(event.transcript_path),
      input: JSON.stringify(event.tool_input ?? {}),
      text: stdout,
    })
    if (shown === null) return null
    const updatedToolOutput = { ...response, stdout: shown }
    return { hookSpecificOutput: { hookEventName: name, updatedToolOutput } }
  } finally {
    await store.close()
  }
}

/** Not the name that the gateway gives the same conversation. */
export function sessionName(session: string): string {
  return `hook-${session}`
}

const tailBytes = 4 * 1024 * 1024

/** What the user asked last, from the end of Claude Code's recording; null when it is not there. */
function lastPrompt(file: unknown): string | null {
  if (typeof file !== 'string') return null
  const lines = endOf(file).split('\n')
  for (const line of lines.reverse()) {
    if (!line.includes('"type":"user"')) continue
    const { type, isMeta, message } = objectOf(parseJson(line))
    if (type !== 'user' || isMeta === true) continue
    const { content } = objectOf(message)
    const texts =
      typeof content === 'string'
        ? [content]
        : arrayOf(content).flatMap((block) =>
            isJsonObject(block) && typeof block.text === 'string' ? [block.text] : [],
          )
    const said = typedText(texts.join('\n'))
    if (said !== '') return said
  }
  return null
}

function endOf(file: string): string {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch {
    return ''
  }
  try {
    const { size } = fstatSync(descriptor)
    const bytes = Buffer.alloc(Math.min(size, tailBytes))
    const read = readSync(descriptor, bytes, 0, bytes.length, size - bytes.length)
    return bytes.toString('utf8', 0, read)
  } finally {
    closeSync(descriptor)
  }
}
