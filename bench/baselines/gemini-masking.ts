import { plainToolName } from '../../src/actions/tool-name.ts'
import type { Policy } from '../score/policy.ts'
import { type Rendition, tokensOf } from '../score/session.ts'
import { type StandIn, seenResultsIn, showWith } from './stand-in.ts'

interface GeminiMaskingOptions {
  /** How much of the newest tool output stays. */
  readonly protectTokens: number
  /** Masks only when it saves at least this much. */
  readonly minimumTokens: number
}

const exemptTools: ReadonlySet<string> = new Set(
  ['activate_skill', 'ask_user', 'enter_plan_mode', 'exit_plan_mode'].map(plainToolName),
)
const shellTools: ReadonlySet<string> = new Set(
  ['run_shell_command', 'bash', 'shell', 'exec_command', 'exec', 'execute_bash'].map(plainToolName),
)
const previewCharacters = 250
const previewLines = 10

/**
 * Gemini CLI's masking of tool output: the full text goes to a file that the model can read, a preview stays. What is
 * masked stays masked. Its file names have a random part; here they have none, so that runs are the same.
 */
export function geminiMaskingWith({ protectTokens, minimumTokens }: GeminiMaskingOptions): Policy {
  return {
    name: 'gemini-mask',
    source: 'Gemini CLI, packages/core/src/context/toolOutputMaskingService.ts',
    parameters: `protect=${protectTokens}, minimum=${minimumTokens}, previews of 250+250 characters or 10+10 lines`,
    begin: () => {
      const standIns = new Map<number, StandIn>()
      return ({ view }) => {
        const open = seenResultsIn(view).filter(
          ({ item }) => !standIns.has(item.i) && !exemptTools.has(plainToolName(item.tool ?? '')),
        )
        const maskable = beyond(open, protectTokens)
        const tokens = maskable.reduce((sum, { text }) => sum + tokensOf(text), 0)
        if (tokens >= minimumTokens) {
          for (const result of maskable) {
            const standIn = masked(result)
            if (standIn.text.length < result.text.length) standIns.set(result.item.i, standIn)
          }
        }
        return showWith(view, standIns)
      }
    },
  }
}

/** The results that are older than the newest so many tokens; the one that crosses the line is among them. */
function beyond(results: readonly Rendition[], tokens: number): readonly Rendition[] {
  let sum = 0
  const first = results.findLastIndex(({ text }) => {
    sum += tokensOf(text)
    return sum > tokens
  })
  return results.slice(0, first + 1)
}

function masked({ item, text }: Rendition): StandIn {
  const name = plainToolName(item.tool ?? '')
  const file = `tool-outputs/${name}_${item.call ?? item.i}.txt`
  const preview = shellTools.has(name) ? shellPreview(text) : textPreview(text)
  return {
    how: 'masked',
    handle: file,
    text: `<tool_output_masked>\n${preview}\n\nOutput too large. Full output available at: ${file}\n</tool_output_masked>`,
  }
}

function textPreview(text: string): string {
  if (text.length <= 2 * previewCharacters) return text
  return `${text.slice(0, previewCharacters)}\n... [TRUNCATED] ...\n${text.slice(-previewCharacters)}`
}

/** Sections other than the output, such as the exit code, stay whole. */
function shellPreview(text: string): string {
  const parts = text.split(/^(Output|Error|Exit Code|Signal|Background PIDs|Process Group PGID): /m)
  if (parts.length < 3) return linePreview(text)
  const head = parts[0]?.trim() ?? ''
  const shown = head === '' ? [] : [linePreview(head)]
  for (let index = 1; index < parts.length; index += 2) {
    const section = parts[index + 1]?.trim() ?? ''
    shown.push(`${parts[index]}: ${parts[index] === 'Output' ? linePreview(section) : section}`)
  }
  return shown.join('\n')
}

function linePreview(text: string): string {
  const lines = text.split('\n')
  if (lines.length <= 2 * previewLines) return text
  const omitted = lines.length - 2 * previewLines
  return [
    ...lines.slice(0, previewLines),
    `\n... [${omitted} lines omitted] ...\n`,
    ...lines.slice(-previewLines),
  ].join('\n')
}

export const geminiMasking: Policy = geminiMaskingWith({
  protectTokens: 50_000,
  minimumTokens: 30_000,
})
