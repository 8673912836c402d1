/** A name in lower case without separators: `read_file`, `ReadFile` and `read-file` are one. */
export function plainToolName(tool: string): string {
  return tool.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** Longer than any provider allows. */
const maximalLength = 256

export interface ToolNames {
  /** Plain names to look up, the full name first. */
  readonly plain: readonly string[]
  /** True for a tool of an MCP server. */
  readonly foreign: boolean
}

/**
 * The possible names of a tool. `mcp__server__tool` and `server.tool` show where the server's name ends; `server_tool`
 * does not, so every suffix after a separator is tried.
 */
export function toolNameCandidates(tool: string): ToolNames {
  const name = tool.trim().slice(-maximalLength)
  const marked = /^mcp__.+?__(.+)$/i.exec(name)?.[1] ?? /^.+(?:[.:/]|__)([^.:/]+)$/.exec(name)?.[1]
  if (marked !== undefined) {
    return { plain: unique([plainToolName(marked), ...endings(marked)]), foreign: !isOwn(name) }
  }
  return { plain: unique([plainToolName(name), ...endings(name)]), foreign: false }
}

/** The words of a name: `readFile` and `read_file` both give `read` and `file`. */
export function toolNameWords(tool: string): ReadonlySet<string> {
  const spaced = tool.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
  return new Set(spaced.toLowerCase().split(/[^a-z0-9]+/))
}

/** Suffixes that clearly refer to a file, a folder, a shell or the web. */
const clearSuffix =
  /^(read|write|edit|multiedit|bash|grep|glob)$|.(file|dir|directory|bash|shell|terminal|patch|web)|^web./

function endings(name: string): readonly string[] {
  const parts = name.toLowerCase().split(/[_-]+/)
  return parts
    .slice(1)
    .map((_, index) => parts.slice(index + 1).join(''))
    .filter((ending) => clearSuffix.test(ending))
}

/** Namespaces that providers add to an agent's own tools. */
function isOwn(name: string): boolean {
  return /^(functions|tools|default_api|container|client)[.:]/i.test(name)
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}
