#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { parseRecords } from '../src/csv.js'
import { parseOptions, usage } from '../src/options.js'
import { summarise, toExpenses } from '../src/summary.js'
import { renderSummary } from '../src/table.js'

const options = parseOptions(process.argv.slice(2))

if (options.help) {
  process.stdout.write(usage)
} else if (options.problem !== null) {
  process.stderr.write(`tally: ${options.problem}\n\n${usage}`)
  process.exitCode = 2
} else {
  main(options)
}

function main({ file, by, top, json }) {
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    process.stderr.write(`tally: cannot read ${file}: ${error.message}\n`)
    process.exitCode = 1
    return
  }
  const { records, problems } = parseRecords(text)
  const expenses = toExpenses(records, problems)
  const summary = summarise(expenses, { by, top })
  process.stdout.write(json ? `${JSON.stringify(summary)}\n` : renderSummary(summary))
  for (const problem of problems) {
    process.stderr.write(`tally: line ${problem.line}: ${problem.message}\n`)
  }
  if (problems.length > 0) process.exitCode = 1
}
