// Bundles every entry of package.json and the dashboard's pages into dist, and writes types, the licence notices of
// bundled packages and a bill of materials.
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ensureInstalled, inRoot, root, run } from './install.mjs'

export async function build() {
  ensureInstalled()
  const { rolldown } = await import('rolldown')
  const manifest = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  const targets = [...Object.values(manifest.exports), ...Object.values(manifest.bin)]
  const input = Object.fromEntries(
    targets
      .filter((target) => target.startsWith('./dist/'))
      .map((target) => target.slice('./dist/'.length, -'.js'.length))
      .map((name) => [name, inRoot('src', `${name}.ts`)]),
  )
  rmSync(inRoot('dist'), { recursive: true, force: true })
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: [/^node:/, /^bun:/, 'pg'],
    // Without `module` first, jsonc-parser's UMD build is taken, which cannot be bundled.
    resolve: { mainFields: ['module', 'main'] },
    logLevel: 'warn',
  })
  const { output } = await bundle.write({
    dir: inRoot('dist'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  })
  await bundle.close()
  // `npm install` makes a linked command executable once; a later build must not take that away.
  for (const command of Object.values(manifest.bin)) chmodSync(inRoot(command), 0o755)
  const { build: buildPages } = await import('vite')
  const pages = await buildPages({ configFile: inRoot('web/vite.config.ts') })
  const packages = bundledPackages([...output, ...pages.output])
  writeFileSync(inRoot('dist', 'THIRD-PARTY-NOTICES.md'), notices(packages))
  writeFileSync(inRoot('dist', 'bom.cdx.json'), billOfMaterials(manifest, packages))
  run(process.execPath, [inRoot('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'])
}

/** The packages whose code stands in the bundles, in order. */
function bundledPackages(output) {
  const names = new Set()
  for (const chunk of output) {
    for (const id of chunk.moduleIds ?? []) {
      const inside = id.split(`${path.sep}node_modules${path.sep}`).at(-1)
      if (inside === undefined || inside === id) continue
      const parts = inside.split(path.sep)
      names.add(parts.slice(0, parts[0].startsWith('@') ? 2 : 1).join('/'))
    }
  }
  return [...names].sort().map((name) => {
    const folder = path.join(root, 'node_modules', name)
    const { version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    const text = file === undefined ? '' : readFileSync(path.join(folder, file), 'utf8').trim()
    return { name, version, license, text }
  })
}

function notices(packages) {
  const sections = packages.map(
    ({ name, version, license, text }) => `## ${name} ${version} (${license})\n\n${text}\n`,
  )
  return `# Bundled packages\n\n${sections.join('\n')}`
}

/** A bill of materials in CycloneDX: what is bundled, and what npm installs beside it. */
function billOfMaterials({ name, version, license, optionalDependencies = {} }, packages) {
  const component = (each, scope) => ({
    type: 'library',
    'bom-ref': `${each.name}@${each.version}`,
    name: each.name,
    version: each.version,
    scope,
    purl: `pkg:npm/${each.name.replace('@', '%40')}@${each.version}`,
    ...(each.license === undefined ? {} : { licenses: [{ expression: each.license }] }),
  })
  const optional = Object.entries(optionalDependencies).map(([each, range]) => ({
    name: each,
    version: range,
  }))
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { ...component({ name, version, license }, 'required'), type: 'application' },
    },
    components: [
      ...packages.map((each) => component(each, 'required')),
      ...optional.map((each) => component(each, 'optional')),
    ],
  }
  return `${JSON.stringify(bom, null, 2)}\n`
}

if (process.argv[1] === import.meta.filename) await build()
