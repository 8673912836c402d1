/** True when a part of the command runs git with a subcommand that matches `verb`. */
export function runsGit(command: string, verb: RegExp): boolean {
  if (!command.includes('git')) return false
  return command.split(/[|;&\n]/).some((part) => {
    const git = /\bgit\b/.exec(part)
    return git !== null && verb.test(part.slice(git.index + git[0].length))
  })
}
