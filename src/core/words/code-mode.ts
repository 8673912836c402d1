/** True for Codex's code-mode tool, under its names on the wire and in recordings. */
export function isProgramTool(tool: string): boolean {
  return /^(?:functions(?:__|\.))?exec$/.test(tool)
}

/** True when the text is a program that may call tools, and not a command line. */
export function isProgram(text: string): boolean {
  return /\bawait\s+(?:tools\b|Promise\b)|\btools\.\w+\(|\btext\(|^\/\/ @exec:/m.test(text)
}
