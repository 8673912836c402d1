/** True when a part of a command runs git with one of these verbs behind it. Looks at each part once. */
export function runsGit(command: string, verb: RegExp): boolean {
  if (!command.includes('git')) return false
  return command.split(/[|;&\n]/).some((part) => {
    const git = /\bgit\b/.exec(part)
    return git !== null && verb.test(part.slice(git.index + git[0].length))
  })
}
