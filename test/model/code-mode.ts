import type { JsonObject } from '../../src/core/words/json.ts'
import type { PlannedCall } from './operations.ts'
import type { Operation } from './scenario.ts'

/**
 * A call as a program in Codex's code mode. Models print what a command printed, or all that is said of it; they spell
 * texts of several lines as templates, and look at what they changed in the same program.
 */
export function asProgram({ name, input }: PlannedCall, kind: Operation['kind']): string {
  if (typeof input === 'string') {
    const check = 'const status = await tools.exec_command({ cmd: "git status --short" });'
    const patch = `const patch = String.raw\`${input}\`;`
    return `${patch}\ntext(await tools.${name}(patch));\n${check}\ntext(status.output);`
  }
  const call = `await tools.${name}(${JSON.stringify(input)})`
  return kind === 'read' || kind === 'restore'
    ? `const r = ${call};\ntext(r.output);`
    : `text(${call});`
}

/** The same for a tool of a server, which a program has to look for. */
export function searchedTool(name: string, input: JsonObject): string {
  const found = `ALL_TOOLS.find((tool) => tool.name.endsWith(${JSON.stringify(`__${name}`)}))`
  const call = `await tools[found.name](${JSON.stringify(input)})`
  return `const found = ${found};\nconst r = ${call};\ntext(r.content[0].text);`
}
