// Checks the package as a user gets it: packs the tarball, installs it into an empty folder without scripts, imports every
// subpath, runs the bin and the library on every runtime, installs it globally and runs the README's commands with it, checks the types
// with two compilers, and runs publint, attw and knip. Exits with code 1 when one of them fails.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { cache, inRoot, root, run } from './install.mjs'
import { runtimePath, runtimes } from './runtimes.mjs'

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

/** Checks the examples, and a program of its own, against the installed package. */
function checkTypes(version) {
  const { devDependencies } = manifest
  const sdks = ['@anthropic-ai/sdk', 'openai', '@google/genai', 'ai', '@ai-sdk/anthropic']
  const place = path.join(folder, `types-${version}`)
  mkdirSync(place)
  const settings = {
    compilerOptions: {
      target: 'ES2023',
      module: 'NodeNext',
      strict: true,
      noEmit: true,
      types: ['node'],
      skipLibCheck: false,
    },
    include: ['plain.ts'],
  }
  writeFileSync(path.join(place, 'package.json'), '{"private":true,"type":"module"}')
  writeFileSync(path.join(place, 'plain.ts'), plainProgram)
  writeFileSync(path.join(place, 'tsconfig.json'), JSON.stringify(settings))
  const install = (...packages) =>
    read(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...packages],
      { cwd: place },
    )
  const compile = () => run(process.execPath, ['node_modules/typescript/bin/tsc'], { cwd: place })
  install(tarball, `typescript@${version}`, `@types/node@${devDependencies['@types/node']}`)
  compile()
  install(...sdks.map((name) => `${name}@${devDependencies[name]}`))
  for (const file of readdirSync(inRoot('examples')).filter((name) => /^\d\d-.*\.ts$/.test(name)))
    copyFileSync(inRoot('examples', file), path.join(place, file))
  // The types of some SDKs have errors of their own.
  settings.compilerOptions.skipLibCheck = true
  settings.include = ['*.ts']
  writeFileSync(path.join(place, 'tsconfig.json'), JSON.stringify(settings))
  compile()
}

/** The engine and the fetch, as a new project uses them. */
const libraryProgram = `
import { createEngine } from 'palimpsest'
import { anthropic } from 'palimpsest/anthropic'
import { withPalimpsest } from 'palimpsest/sdk'

const read = anthropic.read('{"model":"claude-opus-4-5","max_tokens":1,"messages":[{"role":"user","content":"hi"}]}')
const { changes } = createEngine({ preset: 'balanced' }).request(read.messages)
if (changes.length === 0 && typeof withPalimpsest(fetch) === 'function') console.log('palimpsest works')
`

/** Uses the types without any SDK: a rewritten body fits `fetch`. */
const plainProgram = `
import { createEngine } from 'palimpsest'
import { anthropic } from 'palimpsest/anthropic'
import { pruneMiddleware, restoreTool, withPalimpsest } from 'palimpsest/sdk'

const engine = createEngine({ preset: 'balanced' })
const read = anthropic.read('{}')
const { source } = anthropic.rewrite(read, engine.request(read.messages).changes)
const pruned = withPalimpsest(fetch, { preset: 'compact', onError: (error: unknown) => console.error(error) })
export const response: Promise<Response> = pruned('https://example.com', { method: 'POST', body: source })
export const name: string = restoreTool(pruned).anthropic.name
export const middleware = pruneMiddleware({ session: 'one' })
`

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
  await check('has every file that its README links', () => {
    const inside = path.join(folder, 'node_modules', manifest.name)
    const readme = readFileSync(path.join(inside, 'README.md'), 'utf8')
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => link)
    const missing = links.filter((link) => !existsSync(path.join(inside, link)))
    if (links.length < 10) throw new Error(`found only ${links.length} links`)
    if (missing.length > 0) throw new Error(`not in the package: ${missing.join(', ')}`)
  })
  await check('has no install scripts, and a bill of materials of what is bundled', () => {
    const inside = path.join(folder, 'node_modules', manifest.name)
    const hooks = ['preinstall', 'install', 'postinstall', 'prepare']
    const found = hooks.filter((name) => manifest.scripts[name] !== undefined)
    if (found.length > 0) throw new Error(`has ${found.join(', ')}`)
    const { components } = JSON.parse(readFileSync(path.join(inside, 'dist/bom.cdx.json'), 'utf8'))
    const unlicensed = components.filter(({ scope, licenses }) => scope === 'required' && !licenses)
    if (!components.some(({ name }) => name === 'zod')) throw new Error('zod is not in it')
    if (unlicensed.length > 0) throw new Error(`no licence: ${JSON.stringify(unlicensed)}`)
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
  // Node 20 is what this runs on in CI.
  for (const runtime of runtimes) {
    const binary = runtimePath(runtime)
    if (!existsSync(binary) && process.env.CI !== 'true') {
      console.log(
        `skipped the library and the command under ${runtime.name}: \`npm test -- --all\` installs it`,
      )
      continue
    }
    await check(`the library and the command under ${runtime.name}`, () => {
      writeFileSync(path.join(folder, 'program.mjs'), libraryProgram)
      const said = read(binary, ['program.mjs']).trim()
      if (said !== 'palimpsest works') throw new Error(`says '${said}'`)
      const bin = path.join('node_modules', manifest.name, 'dist/cli/main.js')
      const version = read(binary, [bin, '--version']).trim()
      if (version !== manifest.version) throw new Error(`prints version ${version}`)
    })
  }
  await check('npm exec of the tarball in an empty folder', () => {
    const place = path.join(folder, 'elsewhere')
    mkdirSync(place)
    const version = read(
      'npm',
      ['exec', '--yes', `--package=${tarball}`, '--', manifest.name, '--version'],
      {
        cwd: place,
      },
    ).trim()
    if (version !== manifest.version) throw new Error(`prints version ${version}`)
  })
  await check('the tarball installed globally, and every command of the README with it', () => {
    const prefix = path.join(folder, 'a prefix')
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    read('npm', ['install', '--global', `--prefix=${prefix}`, ...options, tarball])
    const version = read(path.join(prefix, 'bin', manifest.name), ['--version']).trim()
    if (version !== manifest.version) throw new Error(`prints version ${version}`)
    const said = read(
      process.execPath,
      [
        inRoot('node_modules/vitest/vitest.mjs'),
        'run',
        'test/docs/commands.test.ts',
        ...['-t', 'README.md', '--reporter=json'],
      ],
      {
        cwd: root,
        env: {
          ...process.env,
          PALIMPSEST_TESTED_COMMAND: path.join(
            prefix,
            'lib/node_modules',
            manifest.name,
            manifest.bin.palimpsest,
          ),
        },
      },
    )
    const { numPassedTests } = JSON.parse(said)
    if (numPassedTests < 5) throw new Error(`ran only ${numPassedTests} of them`)
  })
  // The examples are what a user would write: they need no cast, and no package of a provider that they do not import.
  for (const version of ['5.9.3', '7.0.2']) {
    await check(`types with TypeScript ${version}`, () => checkTypes(version))
  }
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
