/** True for a command that only reads the state of the project. */
export function isStateCommand(program: string, args: readonly string[]): boolean {
  switch (program) {
    case 'ls':
    case 'pwd':
      return true
    case 'tree':
      return !args.some((argument) => /^-o/.test(argument))
    case 'find':
      return isPlainFind(args)
    case 'git':
      return isGitState(args)
    default:
      return false
  }
}

/** `-exec ls` only reads; any other command, and `-delete`, may change files. */
function isPlainFind(args: readonly string[]): boolean {
  return args.every((argument, index) => {
    if (/^-(?:delete|ok|okdir|fprint0?|fprintf|fls)$/.test(argument)) return false
    return !/^-exec(?:dir)?$/.test(argument) || args[index + 1] === 'ls'
  })
}

function isGitState(args: readonly string[]): boolean {
  let at = 0
  while (at < args.length && args[at]!.startsWith('-')) {
    at += args[at] === '-C' || args[at] === '-c' ? 2 : 1
  }
  const rest = args.slice(at + 1)
  switch (args[at]) {
    case 'status':
      return true
    case 'log':
      return !rest.some((argument) => /^--output(?:=|$)/.test(argument))
    case 'branch':
      return isBranchList(rest)
    default:
      return false
  }
}

const BRANCH_LISTING =
  /^(?:-a|-r|-v|-vv|-l|-av|-avv|-rv|-i|--all|--remotes|--verbose|--list|--show-current|--ignore-case|--no-color|--no-column|--(?:color|column|sort|format|contains|no-contains|merged|no-merged|points-at|abbrev)(?:=.*)?)$/

/** A name alone would create a branch; after a filter option it is a commit or a pattern. */
function isBranchList(args: readonly string[]): boolean {
  const filters = args.some((argument) =>
    /^(?:-l|--list|--contains|--no-contains|--merged|--no-merged|--points-at|--sort|--format)$/.test(
      argument,
    ),
  )
  return args.every((argument) =>
    argument.startsWith('-') ? BRANCH_LISTING.test(argument) : filters,
  )
}
