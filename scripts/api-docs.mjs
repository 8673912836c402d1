// Writes docs/api.md from the built types, so `npm run build` comes first; `--check` compares instead. TypeDoc has no
// release that runs with TypeScript 7, whose JavaScript API is gone, and api-extractor takes one entry at a time and
// writes a file for each name. The declarations are complete as they are, so the parser of our bundler is enough.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'rolldown/utils'
import { inRoot } from './install.mjs'

const target = inRoot('docs', 'api.md')

/** What each entry is for. An entry without a line here is an error. */
const purposes = {
  '.': 'The engine: the record of a session, what replaces what in it, and how it is then shown.',
  './sdk':
    "Prunes what the providers' SDKs and the AI SDK send, restores originals, and adds memory.",
  './pi': 'The extension for Pi. Its default export is what Pi loads.',
  './config': 'Reads configuration files as the gateway does.',
  './anthropic': "The format of Anthropic's Messages API.",
  './openai-chat': "The format of OpenAI's chat completions.",
  './openai-responses': "The format of OpenAI's Responses API.",
  './gemini': "The format of Google's Gemini API.",
  './ai-sdk': "The format of the AI SDK's prompts.",
  './opencode': "The format of OpenCode's messages.",
  './actions': 'Reads tool calls and their results.',
  './recordings': 'Reads the session files of agents.',
  './store': 'Keeps sessions in SQLite or PostgreSQL.',
  './memory': 'Facts, preferences and decisions that outlive a session.',
  './server': 'The plugin for OpenCode, which takes its default export.',
}

/** The parsed declarations of each file, by path. */
const modules = new Map()

function moduleAt(file) {
  const known = modules.get(file)
  if (known !== undefined) return known
  const text = readFileSync(file, 'utf8')
  const { program, comments, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  const parsed = { file, text, body: program.body, comments }
  modules.set(file, parsed)
  return parsed
}

const fileOf = (from, specifier) =>
  path.resolve(path.dirname(from), specifier.replace(/\.(ts|js)$/, '.d.ts'))
const nameOf = (node) => node.name ?? node.value

/** Every export of a file with its declaration, `export *` and names from other files followed to their end. */
function exportsOf(file) {
  const found = new Map()
  for (const node of moduleAt(file).body) {
    if (node.type === 'ExportAllDeclaration') {
      const every = exportsOf(fileOf(file, node.source.value))
      for (const [name, entry] of every) if (name !== 'default') found.set(name, entry)
    } else if (node.type === 'ExportDefaultDeclaration') {
      const local = node.declaration.name
      found.set('default', local === undefined ? entryOf(file, node) : localEntry(file, local))
    } else if (node.type === 'ExportNamedDeclaration') {
      for (const name of declaredNames(node.declaration)) found.set(name, entryOf(file, node))
      for (const each of node.specifiers) {
        const local = nameOf(each.local)
        const entry =
          node.source === null
            ? localEntry(file, local)
            : exportsOf(fileOf(file, node.source.value)).get(local)
        if (entry === undefined) throw new Error(`${file}: ${local} was not found`)
        found.set(nameOf(each.exported), entry)
      }
    }
  }
  return found
}

function declaredNames(declaration) {
  if (declaration == null) return []
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.map(({ id }) => id.name)
  return [declaration.id.name]
}

function localEntry(file, name) {
  for (const node of moduleAt(file).body) {
    if (declaredNames(node.declaration ?? (node.id ? node : null)).includes(name))
      return entryOf(file, node)
    if (node.type === 'VariableDeclaration' && declaredNames(node).includes(name))
      return entryOf(file, node)
    if (node.type !== 'ImportDeclaration') continue
    const imported = node.specifiers.find((each) => each.local.name === name)
    if (imported !== undefined)
      return exportsOf(fileOf(file, node.source.value)).get(nameOf(imported.imported))
  }
  return undefined
}

function entryOf(file, node) {
  const { text, comments } = moduleAt(file)
  const comment = comments.findLast(({ end }) => end <= node.start)
  const isOwn = comment?.value.startsWith('*') && text.slice(comment.end, node.start).trim() === ''
  const { type } = node.declaration ?? node
  const code = text.slice(node.start, node.end).replace(/^export (default )?(declare )?/, '')
  return {
    kind: type,
    code: code.replaceAll('    ', '  '),
    about: isOwn ? docText(comment.value) : '',
  }
}

/** The text of a comment. Examples become code, and what is thrown a sentence of its own. */
function docText(comment) {
  const lines = comment
    .slice(1)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
  const [about, ...tags] = lines
    .join('\n')
    .trim()
    .split(/^@(?=\w)/m)
  const rest = tags.map((tag) => {
    const [, name, text] = /^(\w+)\s*([\s\S]*)$/.exec(tag)
    if (name === 'example') return `\`\`\`ts\n${text.trim()}\n\`\`\``
    return name === 'throws' ? `Throws ${text.trim()}` : text.trim()
  })
  return [about.trim(), ...rest].filter((part) => part !== '').join('\n\n')
}

function section(manifest, subpath) {
  const file = inRoot(manifest.exports[subpath].replace(/\.js$/, '.d.ts'))
  const purpose = purposes[subpath]
  if (purpose === undefined) throw new Error(`scripts/api-docs.mjs: say what ${subpath} is for`)
  const entries = [...exportsOf(file)].sort(([one], [other]) => one.localeCompare(other, 'en'))
  const isValue = ([, { kind }]) => !/Interface|TypeAlias/.test(kind)
  const shown = [...entries.filter(isValue), ...entries.filter((entry) => !isValue(entry))]
  const parts = shown.map(([name, { code, about }]) => {
    const text = about === '' ? '' : `${about}\n\n`
    return `### \`${name}\`\n\n${text}\`\`\`ts\n${code}\n\`\`\``
  })
  return [`## ${path.posix.join(manifest.name, subpath)}`, purpose, ...parts].join('\n\n')
}

export function apiDocs() {
  const manifest = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  const subpaths = Object.keys(manifest.exports).filter((each) => !each.endsWith('.json'))
  const intro =
    'Every name that the package exports, with its type. This page is made from the types by `node scripts/api-docs.mjs`; ' +
    '[library.md](library.md) shows how to use them.'
  return `${['# API', intro, ...subpaths.map((each) => section(manifest, each))].join('\n\n')}\n`
}

if (process.argv[1] === import.meta.filename) {
  const text = apiDocs()
  if (!process.argv.includes('--check')) writeFileSync(target, text)
  else if (readFileSync(target, 'utf8') !== text) {
    console.error('docs/api.md is not current. Run `npm run build && node scripts/api-docs.mjs`.')
    process.exit(1)
  }
}
