import type { PlannedCall } from './operations.ts'
import type { Operation } from './scenario.ts'

/**
 * A call as a program in Codex's code mode. Models print what a command printed, or all that is said of it; they spell
 * texts of several lines as templates.
 */
export function asProgram({ name, input }: PlannedCall, kind: Operation['kind']): string {
  if (typeof input === 'string')
    return `const patch = String.raw\`${input}\`;\ntext(await tools.${name}(patch));`
  const call = `await tools.${name}(${JSON.stringify(input)})`
  return kind === 'read' ? `const r = ${call};\ntext(r.output);` : `text(${call});`
}
