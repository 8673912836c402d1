import { isJsonObject, parseJson } from '../../core/words/json.ts'
import { type Injected, injections, type Unframed } from './reading.ts'

/** Removes an agent's frame from a command's output; null if the text does not have this frame. */
export type CommandFrame = (text: string) => Unframed | null

const codexHeaderLine =
  /^(?:Chunk ID: .*|Wall time: .*|Process exited with code (-?\d+)|Process running with session ID .*|Original token count: (\d+)|Exit code: (-?\d+)|Total output lines: \d+)$/

/** Codex: a header with one value per line, then `Output:`. */
export const codexFrame: CommandFrame = (text) => {
  let at = 0
  let exitCode: number | null = null
  let tokens: string | undefined
  for (let count = 0; count < 8; count += 1) {
    const end = text.indexOf('\n', at)
    const line = end === -1 ? text.slice(at) : text.slice(at, end)
    const next = end === -1 ? text.length : end + 1
    if (line === 'Output:' && count > 0) {
      return codexBody(text.slice(0, next), text.slice(next), exitCode, tokens)
    }
    const match = codexHeaderLine.exec(line)
    if (match === null || end === -1) return null
    const code = match[1] ?? match[3]
    if (code !== undefined) exitCode = Number(code)
    tokens ??= match[2]
    at = next
  }
  return null
}

function codexBody(
  header: string,
  output: string,
  exitCode: number | null,
  tokens: string | undefined,
): Unframed {
  const warning =
    /^Warning: truncated output \(original token count: (\d+)\)\n(?:Total output lines: \d+\n)?\n?/.exec(
      output,
    )
  const isFrame = warning !== null && (tokens === undefined || warning[1] === tokens)
  const notice = isFrame ? warning[0] : ''
  const body = output.slice(notice.length)
  return {
    body,
    injected: injections('header', header, notice),
    exitCode,
    truncated: isFrame || isCutInside(body),
  }
}

const scriptHeader =
  /^Script (completed|failed|terminated|running with cell ID [^\n]+)\nWall time [\d.]+ seconds\nOutput:\n(?:\n|$)/

/** Codex's code mode: the program's status, then its prints, each as a separate part. */
export const scriptFrame: CommandFrame = (text) => {
  const header = scriptHeader.exec(text)
  if (header === null) return null
  const printed = codexBody(header[0], text.slice(header[0].length), null, undefined)
  // It is unknown how much of a failed or running program ran.
  if (header[1] !== 'completed') return { ...printed, exitCode: 1 }
  const results = printed.body.startsWith('{"') ? commandResults(printed.body) : null
  if (results === null) {
    const code = printed.truncated === true ? cutResult.exec(printed.body)?.[1] : undefined
    return code === undefined ? printed : { ...printed, exitCode: Number(code) }
  }
  const body = results.map(({ output }) => output).join('\n')
  const codes = results.map(({ exitCode }) => exitCode)
  const failure = codes.find((code) => code !== null && code !== 0)
  return {
    ...printed,
    body,
    exitCode: failure ?? (codes.includes(null) ? null : 0),
    truncated: printed.truncated === true || isCutInside(body),
  }
}

/** The start of a truncated result. */
const cutResult =
  /^\{(?:"chunk_id":"\w*",)?"wall_time_seconds":[\d.e-]+,"exit_code":(-?\d+),"original_token_count":/

interface CommandResult {
  readonly output: string
  /** null while it runs. */
  readonly exitCode: number | null
}

/** Results of commands as JSON, one per line; null if anything else was printed. */
function commandResults(printed: string): readonly CommandResult[] | null {
  const results: CommandResult[] = []
  for (const line of printed.split('\n')) {
    const value = line.startsWith('{"') ? parseJson(line) : null
    if (!isJsonObject(value) || typeof value.output !== 'string') return null
    if (typeof value.wall_time_seconds !== 'number') return null
    const code = value.exit_code
    results.push({ output: value.output, exitCode: typeof code === 'number' ? code : null })
  }
  return results
}

/** Older Codex: one JSON object. */
export const codexJsonFrame: CommandFrame = (text) => {
  if (!text.startsWith('{"output"')) return null
  const value = parseJson(text)
  if (!isJsonObject(value) || typeof value.output !== 'string') return null
  const metadata = value.metadata
  const code = isJsonObject(metadata) ? metadata.exit_code : null
  const body = value.output
  return {
    body,
    injected: [],
    exitCode: typeof code === 'number' ? code : null,
    truncated: isCutInside(body),
  }
}

/** mini-swe-agent: tags; the middle of long output is cut. */
export const returnCodeFrame: CommandFrame = (text) => {
  const head =
    /^(?:<exception>[\s\S]*?<\/exception>\n)?<returncode>\s*(-?\d+)\s*<\/returncode>\n?/.exec(text)
  if (head === null) return null
  const exitCode = Number(head[1])
  const rest = text.slice(head[0].length)
  const end = rest.lastIndexOf('</output>')
  if (rest.startsWith('<output>') && rest.slice(end).trimEnd() === '</output>') {
    const body = rest.slice(0, end).replace(/^<output>\n?/, '')
    return { body, injected: injections('header', head[0]), exitCode, truncated: false }
  }
  const cut =
    /^(<warning>[\s\S]*?<\/warning>\s*)?<output_head>\n?([\s\S]*?)<\/output_head>\s*(<elided_chars>[\s\S]*?<\/elided_chars>)\s*<output_tail>\n?([\s\S]*)<\/output_tail>\s*$/.exec(
      rest,
    )
  if (cut === null) return null
  return {
    body: `${cut[2] ?? ''}\n${cut[4] ?? ''}`,
    injected: injections('header', head[0], cut[1] ?? '', cut[3] ?? ''),
    exitCode,
    truncated: true,
  }
}

/** Newer mini-swe-agent: one JSON object. */
export const returnCodeJsonFrame: CommandFrame = (text) => {
  if (!/^\{\s*"returncode"/.test(text)) return null
  const value = parseJson(text)
  if (!isJsonObject(value) || typeof value.returncode !== 'number') return null
  const exitCode = value.returncode
  if (typeof value.output === 'string') {
    return { body: value.output, injected: [], exitCode, truncated: false }
  }
  const { output_head: head, output_tail: tail } = value
  if (typeof head !== 'string' || typeof tail !== 'string') return null
  return { body: `${head}\n${tail}`, injected: [], exitCode, truncated: true }
}

/** Gemini CLI: labelled fields, one of which is the output. */
export const labelledFrame: CommandFrame = (text) => {
  const head = /^(?:Command: [\s\S]*?\nDirectory: [^\n]*\n(?:Stdout|Output): |Output: )/.exec(text)
  if (head === null) return null
  let end = text.trimEnd().length
  let exitCode: number | null = null
  for (;;) {
    const start = text.lastIndexOf('\n', end - 1)
    if (start < head[0].length - 1) break
    const line = text.slice(start + 1, end)
    const code = /^Exit Code: (-?\d+|\(none\))$/.exec(line)?.[1]
    if (code === undefined && !/^(?:Signal|Background PIDs|Process Group PGID): /.test(line)) break
    if (code !== undefined && code !== '(none)') exitCode = Number(code)
    end = start
  }
  // The form with `Command:` always has this field; the last match is the agent's, not the program's.
  const error = head[0].startsWith('Command: ') ? text.lastIndexOf('\nError: ', end) : -1
  if (error >= head[0].length - 1) end = error
  const body = text.slice(head[0].length, end)
  return {
    body: body === '(empty)' ? '' : body,
    injected: [...injections('header', head[0]), ...injections('footer', text.slice(end))],
    exitCode,
    truncated: isCutInside(body),
  }
}

interface ClosingLine {
  readonly line: RegExp
  readonly truncated: boolean
}

const closingLines: readonly ClosingLine[] = [
  // Copilot CLI
  {
    line: /<(?:shellId: \S+ completed|exited|command completed)[^\n]* exit code (-?\d+)>\s*$/,
    truncated: false,
  },
  { line: /<command with [^\n]*>\s*$/, truncated: false },
  // Pi
  {
    line: /(?:\n\n|^)Command exited with code (-?\d+)$/,
    truncated: false,
  },
  {
    line: /(?:\n\n|^)Command (?:timed out after|aborted)[^\n]*$/,
    truncated: true,
  },
  {
    line: /\n\n\[Showing (?:lines|last) [^\n]*Full output: [^\n]*\]$/,
    truncated: true,
  },
  // OpenHands
  {
    line: /\[(?:The command completed|Command finished) with exit code (-?\d+)\.?\]\s*$/,
    truncated: false,
  },
  {
    line: /\[(?:Current working directory|Python interpreter): [^\n]*\]\s*$/,
    truncated: false,
  },
  // OpenCode
  {
    line: /\n{0,2}<(?:bash_metadata|metadata|shell_metadata)>[\s\S]{0,2000}?<\/(?:bash_metadata|metadata|shell_metadata)>\s*$/,
    truncated: false,
  },
  {
    line: /\n\n\.\.\.\d+ (?:bytes|lines) truncated\.\.\.\n\nThe tool call succeeded but[\s\S]{0,2000}$/,
    truncated: true,
  },
  // SWE-agent
  {
    line: /\(Open file: [^\n]*\)\r?\n\(Current directory: [^\n]*\)(?:\r?\nbash-\$)?\s*$/,
    truncated: false,
  },
]

const longestClosing = 4096

/** Removes all status lines that agents add after a command's output. */
export function closingFrame(text: string): Unframed {
  const injected: Injected[] = []
  let body = text
  let end = body.slice(-longestClosing)
  let exitCode: number | null = null
  let truncated = false
  for (let round = 0; round < closingLines.length; round += 1) {
    const before = body
    for (const closing of closingLines) {
      const match = closing.line.exec(end)
      if (match === null || match[0] === '') continue
      body = body.slice(0, body.length - match[0].length)
      end = body.slice(-longestClosing)
      injected.unshift(...injections('footer', match[0]))
      exitCode ??= match[1] === undefined ? null : Number(match[1])
      truncated ||= closing.truncated
    }
    if (body === before) break
  }
  return { body, injected, exitCode, truncated }
}

/** Claude Code's first line when a command failed. */
export const exitCodeFrame: CommandFrame = (text) => {
  const code = /^(?:Error: )?Exit code (-?\d+)(?:\n|$)/.exec(text)
  if (code === null) return null
  return {
    body: text.slice(code[0].length),
    injected: injections('header', code[0]),
    exitCode: Number(code[1]),
  }
}

/** Removes the notice of Claude Code and OpenCode before truncated output. */
export function longOutputFrame(text: string): Unframed {
  const kept =
    /^<persisted-output>\n([^\n]*\n\n(?:Preview[^\n]*\n)?)([\s\S]*?)\n?<\/persisted-output>\s*$/.exec(
      text,
    )
  if (kept !== null) {
    return { body: kept[2] ?? '', injected: injections('header', kept[1] ?? ''), truncated: true }
  }
  const cut = /^\.\.\.output truncated\.\.\.\n\nFull output saved to: [^\n]*\n\n/.exec(text)?.[0]
  if (cut !== undefined) {
    return { body: text.slice(cut.length), injected: injections('header', cut), truncated: true }
  }
  return { body: text, injected: [] }
}

const cutByDots =
  /\[?\.\.\. ?\[?(?:omitted )?\d+ (?:of \d+ )?(?:lines|characters|chars) ?(?:truncated|omitted)?\]? ?\.\.\.\]?/

/** True if the output contains a notice that a part was left out. */
export function isCutInside(body: string): boolean {
  return (
    /…\d+ (?:tokens|chars|characters|lines|bytes) truncated…/.test(body) ||
    (body.includes('...') && cutByDots.test(body)) ||
    (body.includes('Output too large. Showing ') && /^Output too large\. Showing /m.test(body))
  )
}
