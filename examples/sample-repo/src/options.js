import { groupings } from './summary.js'

export const usage = `usage: tally FILE [--by category|payee] [--top N] [--json]

  --by WHAT   what to group by; category when it is not said
  --top N     the N largest groups, the rest in one line
  --json      for programs
`

/**
 * The command line as data. `problem` says what is wrong with it, or is null.
 *
 * @param {readonly string[]} args
 */
export function parseOptions(args) {
  const options = { file: null, by: 'category', top: null, json: false, help: false, problem: null }
  const rest = [...args]
  while (rest.length > 0) {
    const arg = rest.shift()
    switch (arg) {
      case '--help':
        return { ...options, help: true }
      case '--json':
        options.json = true
        break
      case '--by':
        options.by = rest.shift() ?? ''
        if (!(options.by in groupings)) return wrong(options, `cannot group by "${options.by}"`)
        break
      case '--top':
        options.top = Number(rest.shift())
        if (!Number.isInteger(options.top) || options.top < 1) {
          return wrong(options, '--top needs a whole number from 1 on')
        }
        break
      default:
        if (arg.startsWith('-')) return wrong(options, `unknown option ${arg}`)
        if (options.file !== null) return wrong(options, 'only one file at a time')
        options.file = arg
    }
  }
  return options.file === null ? wrong(options, 'which file?') : options
}

function wrong(options, problem) {
  return { ...options, problem }
}
