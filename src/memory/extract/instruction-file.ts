import type { Message } from '../observe.ts'
import { withoutEndMark } from '../understand/sentences.ts'
import type { Claim } from './claim.ts'
import { claimsOf } from './claims-of-message.ts'

/** A file in which a team writes down how it works, and how far it counts. */
export type InstructionFileKind = 'rules' | 'description'

/** `rules` for the files that agents read, whose names are in capitals (`docs/agents.md` may be about anything); `description` for a README; undefined for other files. */
export function instructionFileKind(name: string): InstructionFileKind | undefined {
  if (/^(?:CLAUDE|AGENTS|GEMINI|CONVENTIONS|copilot-instructions)(?:\.local)?\.md$/.test(name))
    return 'rules'
  return /^README\.md$/i.test(name) ? 'description' : undefined
}

/** A line of an instruction file, with what it states. */
export interface InstructionLine {
  readonly message: Message
  readonly claims: readonly Claim[]
}

const bullet = /^\s*(?:[-*+]|\d+[.)])\s+/
const notProse = /^\s*(?:#|\||>|<|!\[|\[[^\]]*\]:|---|===|@)/
const rule =
  /\b(?:always|never|must|should|don't|do not|avoid|prefer|only|no|required|forbidden|make sure|ensure|before|instead)\b/i
const imperative =
  /^(?:please\s+)?(?:use|run|write|keep|add|put|name|follow|prefer|avoid|ask|check|commit|test|document|update|format|import|export|return|throw|handle|log|store|create|place|read|stick|treat|mark|group|sort|limit|wrap|include|leave|do|don't|never|always|no)\b/i
const named = /^(?<name>[\p{L}][\p{L}\p{N} /-]{1,30}):\s+(?<value>\S.{1,80})$/u
const states = /\b(?:is|are|uses?|lives?|goes|go|runs?|has|have)\b/i
const longestRule = 40

/** The rules and facts of an instruction file. Each comes from one line, which its message id names: `CLAUDE.md:12`. */
export function readInstructionFile(
  file: string,
  text: string,
  kind: InstructionFileKind,
): readonly InstructionLine[] {
  let isCode = false
  return text.split('\n').flatMap((raw, index) => {
    if (/^\s*(?:```|~~~)/.test(raw)) isCode = !isCode
    else if (!isCode && !notProse.test(raw)) {
      const line = plainLine(raw)
      const claims = line === '' ? [] : lineClaims(line, kind, bullet.test(raw))
      const id = `${file}:${index + 1}`
      if (claims.length > 0) return [{ message: { id, role: 'user', text: line }, claims }]
    }
    return []
  })
}

function plainLine(raw: string): string {
  return raw
    .replace(bullet, '')
    .replace(/\*\*|__/g, '')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .trim()
}

function lineClaims(line: string, kind: InstructionFileKind, isListed: boolean): readonly Claim[] {
  const stated = claimsOf(line).map((claim) => ({ ...claim, operation: 'state' as const }))
  const own = stated.filter(({ owner }) => kind === 'rules' || owner === 'project')
  if (own.length > 0 || kind === 'description') return own
  const words = line.split(/\s+/).length
  if (words < 2 || words > longestRule || line.endsWith(':')) return []
  const base = { owner: 'project', operation: 'state', quote: line, confidence: 0.8 } as const
  const text = withoutEndMark(line)
  if (imperative.test(line) || (isListed && rule.test(line)))
    return [{ ...base, kind: 'preference', category: 'instruction', text }]
  const { name, value } = named.exec(line)?.groups ?? {}
  if (!isListed) return []
  if (name === undefined || value === undefined)
    return states.test(line) ? [{ ...base, kind: 'fact', category: 'general', text }] : []
  return [
    { ...base, kind: 'fact', category: 'general', attribute: name.toLowerCase(), value, text },
  ]
}
