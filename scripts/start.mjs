// `npm start [-- serve options]`: installs, builds, says what a recorded session would have saved, and serves the gateway
// with that session in its store. `npm start -- --once` ends before it serves.
import { execFileSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { build } from './build.mjs'
import { inRoot } from './install.mjs'

const palimpsest = inRoot('dist/cli/main.js')
const sample = inRoot('examples/sample-session.json')
const args = process.argv.slice(2)

await build()
const replayed = execFileSync(process.execPath, [palimpsest, 'replay', sample], {
  encoding: 'utf8',
})
// After the turns one by one comes what they add up to.
const summary = replayed.trimEnd().split('\n\n').at(-1)
console.log(
  `a recorded session, replayed (\`palimpsest replay examples/sample-session.json\`):\n${summary}\n`,
)
if (!args.includes('--once')) {
  // In this very process, so that a signal reaches it.
  process.argv = [process.execPath, palimpsest, 'serve', '--load', sample, ...args]
  await import(pathToFileURL(palimpsest).href)
}
