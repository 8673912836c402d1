// `npm start [-- serve options]`: installs, builds, prints what a recorded session would have saved, and starts the
// gateway with that session in its store. `npm start -- --once` exits before starting the gateway.
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
// The verdict comes before the list of turns.
const summary = replayed.split('\n\n', 1)[0]
console.log(
  `a recorded session, replayed (\`palimpsest replay examples/sample-session.json\`):\n${summary}\n`,
)
if (!args.includes('--once')) {
  // Runs in this process, so that signals reach it.
  process.argv = [process.execPath, palimpsest, 'serve', '--load', sample, ...args]
  await import(pathToFileURL(palimpsest).href)
}
