// `npm start`: installs, builds, and replays the sample session in the terminal.
import { build } from './build.mjs'
import { inRoot, run } from './install.mjs'

await build()
run(process.execPath, [
  inRoot('dist/cli/main.js'),
  'replay',
  inRoot('examples/sample-session.json'),
  ...process.argv.slice(2),
])
