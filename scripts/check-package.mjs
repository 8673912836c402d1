// Checks the package as a user gets it: packs the tarball, installs it into an empty folder without scripts, imports every
// subpath, runs the bin, and runs publint, attw and knip. Exits with code 1 at the first error.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { cache, inRoot, run } from './install.mjs'

const manifest = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-package-'))
const checks = []

async function check(name, action) {
  try {
    await action()
    checks.push({ name, passed: true })
    console.log(`ok      ${name}`)
  } catch (error) {
    checks.push({ name, passed: false })
    console.log(`FAILED  ${name}\n${error instanceof Error ? error.message : error}`)
  }
}

const read = (command, args, options = {}) =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', ...options })
let tarball = ''

try {
  await check('npm pack', () => {
    const [packed] = JSON.parse(
      read('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
        cwd: inRoot(),
      }),
    )
    tarball = path.join(folder, packed.filename)
  })
  await check('installs into an empty folder without scripts', () => {
    writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}')
    read('npm', [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      tarball,
    ])
    if (!existsSync(path.join(folder, 'node_modules', manifest.name)))
      throw new Error('the package was not installed')
  })
  for (const subpath of Object.keys(manifest.exports)) {
    const specifier = path.posix.join(manifest.name, subpath)
    await check(`import '${specifier}'`, () => {
      const attributes = subpath.endsWith('.json') ? ", { with: { type: 'json' } }" : ''
      const names = read(process.execPath, [
        '--no-warnings',
        '--input-type=module',
        '-e',
        `console.log(Object.keys(await import('${specifier}'${attributes})).join(' '))`,
      ])
      if (names.trim() === '') throw new Error('exports nothing')
    })
  }
  await check('npx palimpsest --version', () => {
    const version = read('npx', ['--no-install', manifest.name, '--version']).trim()
    if (version !== manifest.version)
      throw new Error(`prints version ${version}, but package.json has ${manifest.version}`)
  })
  await check('npx palimpsest replay of the packed sample', () => {
    const sample = path.join('node_modules', manifest.name, 'examples/sample-session.json')
    const { requests } = JSON.parse(
      read('npx', ['--no-install', manifest.name, 'replay', sample, '--json']),
    )
    if (!(requests > 10)) throw new Error(`replayed only ${requests} requests`)
  })
  await check('publint', () =>
    run(process.execPath, [inRoot('node_modules/publint/src/cli.js'), '--strict', tarball]),
  )
  await check('attw', () =>
    run(process.execPath, [
      inRoot('node_modules/@arethetypeswrong/cli/dist/index.js'),
      '--profile',
      'esm-only',
      tarball,
    ]),
  )
  await check('knip', () => run(process.execPath, [inRoot('node_modules/knip/bin/knip.js')]))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

const failed = checks.filter((entry) => !entry.passed).length
writeFileSync(
  path.join(cache, 'package-summary.json'),
  JSON.stringify({ passed: checks.length - failed, failed }),
)
process.exit(failed > 0 ? 1 : 0)
