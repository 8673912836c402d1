/** A program that a shell command runs, with its arguments: `['git', 'diff', '--stat']`. */
export type ProgramWords = readonly string[]

const wrappers =
  /^(?:sudo|time|timeout|env|nice|nohup|exec|command|stdbuf|unbuffer|xargs|watch|npx|bunx|pnpx|uvx|pipx|rtk)$/
const runners =
  /^(?:npm|pnpm|yarn|bun|uv|poetry|pipenv|hatch|rye|mise|make|just|task|composer|bundle|dotnet|deno)$/

/** Options of package runners that are followed by a value. */
const valued = /^(?:--filter|-F|--workspace|-w|--prefix|-C|--dir|--cwd|-p|--package|--project)$/

/**
 * The programs of a command, in order, without wrappers such as `sudo`. Quotes are respected, nothing is expanded, and
 * every program of a pipeline is included.
 */
export function programsOf(command: string): readonly ProgramWords[] {
  const programs: ProgramWords[] = []
  for (const words of simpleCommands(command.slice(0, 8000))) {
    const bare = unwrapped(words)
    if (bare.length > 0) programs.push(bare)
  }
  return programs
}

/** The script that a runner runs (`npm run lint` gives `lint`), or the empty string. */
export function scriptOf([program = '', ...rest]: ProgramWords): string {
  if (!runners.test(program)) return ''
  const named = rest.filter((word, at) => !word.startsWith('-') && !valued.test(rest[at - 1] ?? ''))
  const verb = named[0] ?? ''
  return verb === 'run' || verb === 'run-script' || verb === 'exec' || verb === 'x'
    ? (named[1] ?? '')
    : verb
}

function unwrapped(words: readonly string[]): readonly string[] {
  let at = 0
  for (let isWrapped = true; isWrapped && at < words.length; ) {
    const word = words[at] as string
    isWrapped = /^[A-Za-z_]\w*=/.test(word) || wrappers.test(word)
    if (isWrapped) at++
    // Options of a wrapper, and the duration of `timeout`.
    while (isWrapped && at < words.length && /^(?:-|\d+[smh]?$)/.test(words[at] as string)) at++
  }
  const [first = '', ...rest] = words.slice(at)
  const program = first.slice(first.lastIndexOf('/') + 1)
  if (/^python[\d.]*$/.test(program) && rest[0] === '-m') return rest.slice(1)
  return program === '' || program === 'cd' ? [] : [program, ...rest]
}

function* simpleCommands(command: string): Generator<readonly string[]> {
  let words: string[] = []
  for (const [token, operator] of command.matchAll(tokens)) {
    if (operator !== undefined) {
      if (words.length > 0) yield words
      words = []
    } else if (!/^\d*[<>]/.test(token)) words.push(token.replaceAll(/^['"]|['"]$/g, ''))
  }
  if (words.length > 0) yield words
}

const tokens =
  /(&&|\|\||[;|&\n(){}])|\d*[<>]+&?\d?|(?:'[^']*'?|"(?:[^"\\]|\\[\s\S])*"?|\\[\s\S]|[^\s;|&<>(){}'"\\])+/g
