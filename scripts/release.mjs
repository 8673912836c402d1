// `npm run release -- VERSION [--skip-tests]`: builds and tests, and prepares a release in .cache/release: the tarball, its notes from
// CHANGELOG.md, its bill of materials and their checksums. It changes the version in the working tree; committing, tagging and publishing
// are for a person, who gets the commands.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { build } from './build.mjs'
import { cache, inRoot, root, run } from './install.mjs'
import { releasedChangelog } from './released-changelog.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'skip-tests': { type: 'boolean', default: false } },
})
const [version] = positionals
const read = (...args) => execFileSync(args[0], args.slice(1), { cwd: root, encoding: 'utf8' })

function refuse(message) {
  console.error(`release: ${message}`)
  process.exit(2)
}

if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version ?? ''))
  refuse('give the version, as in `npm run release -- 0.2.0`')
if (read('git', 'status', '--porcelain') !== '')
  refuse('the working tree has changes. Commit or stash them first.')
const tag = `v${version}`
if (read('git', 'tag', '--list', tag) !== '') refuse(`${tag} exists. Choose another version.`)

const changed = ['package.json', 'package-lock.json', 'CHANGELOG.md']
const today = new Date().toISOString().slice(0, 10)
const { changelog, notes } = releasedChangelog(readFileSync(inRoot('CHANGELOG.md'), 'utf8'), {
  version,
  today,
})
if (notes === '') refuse('CHANGELOG.md has nothing under [Unreleased]')

try {
  run('npm', [
    'version',
    version,
    '--no-git-tag-version',
    '--allow-same-version',
    '--loglevel=error',
  ])
  writeFileSync(inRoot('CHANGELOG.md'), changelog)
  if (values['skip-tests']) await build()
  else {
    run('npm', ['test', '--', '--all'], { env: { ...process.env, CI: 'true' } })
    run('npm', ['run', 'check'])
  }
  const env = values['skip-tests'] ? process.env : { ...process.env, CI: 'true' }
  run(process.execPath, [inRoot('scripts/check-package.mjs')], { env })
} catch (error) {
  read('git', 'checkout', '--', ...changed)
  console.error('release: something failed; the version is as it was')
  throw error
}

const folder = path.join(cache, 'release')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const packed = read('npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder)
const [{ filename }] = JSON.parse(packed)
writeFileSync(path.join(folder, 'NOTES.md'), notes)
copyFileSync(inRoot('dist/bom.cdx.json'), path.join(folder, 'bom.cdx.json'))
const sums = [filename, 'NOTES.md', 'bom.cdx.json'].map((name) => {
  const hash = createHash('sha256')
    .update(readFileSync(path.join(folder, name)))
    .digest('hex')
  return `${hash}  ${name}\n`
})
writeFileSync(path.join(folder, 'SHA256SUMS'), sums.join(''))
const relative = path.relative(root, folder)
console.log(`
${tag} is ready in ${relative}${values['skip-tests'] ? ', but it was not tested' : ''}. To publish it:
  git commit -am "chore: release ${version}" && git tag ${tag}
  npm publish ${path.join(relative, filename)}`)
