// `npm run docs`: builds the documentation as a static site in .cache/site, and fails on a broken link.
import { cache, ensureInstalled, root } from './install.mjs'

ensureInstalled()
const { buildSite } = await import('../site/build.mjs')
const output = `${cache}/site`
const problems = buildSite({ root, output })
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(`The site is in ${output}; any web server can publish it.`)
