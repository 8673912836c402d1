// Builds the documentation as a static site: the Markdown files as they are, with a menu, in light and dark. Fails on a
// link to a page, file or heading that does not exist, and on a page that is not in the menu.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import GithubSlugger from 'github-slugger'
import MarkdownIt from 'markdown-it'
import { menu } from './pages.mjs'

const pictures = new Set(['.png', '.svg'])

/** Writes the site of the project at `root` into the folder `output`. Returns the problems found; the site is complete without any. */
export function buildSite({ root, output }) {
  rmSync(output, { recursive: true, force: true })
  const sources = menu.flatMap(({ pages }) => pages.map(([source]) => source))
  const problems = [
    ...unlisted(root, sources).map((file) => `${file} is not in the menu (site/pages.mjs)`),
    ...sources
      .filter((source, at) => sources.indexOf(source) < at)
      .map((source) => `${source} is twice in the menu (site/pages.mjs)`),
  ]
  const rendered = new Map(
    sources.map((source) => [source, render(readFileSync(path.join(root, source), 'utf8'))]),
  )
  const files = new Set()
  for (const [source, page] of rendered) {
    const body = page.html.replace(/(href|src)="([^"]*)"/g, (all, attribute, address) => {
      const target = resolveAddress({ root, source, address, rendered })
      if (target.problem !== undefined) problems.push(`${source}: ${target.problem}`)
      if (target.file !== undefined) files.add(target.file)
      return target.to === undefined ? all : `${attribute}="${target.to}"`
    })
    write(output, pageOf(source), layout({ source, title: page.title, body }))
  }
  for (const file of files) copyOrShow({ root, output, file })
  mkdirSync(output, { recursive: true })
  copyFileSync(path.join(import.meta.dirname, 'style.css'), path.join(output, 'style.css'))
  return problems
}

function unlisted(root, sources) {
  return readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file.split(path.sep).join('/')}`)
    .filter((file) => !sources.includes(file))
}

function render(markdown) {
  const slugger = new GithubSlugger()
  const anchors = new Set()
  let title = ''
  const md = new MarkdownIt({ html: true })
  md.renderer.rules.heading_open = (tokens, index, options, _env, self) => {
    const text = tokens[index + 1].children.map(({ content }) => content).join('')
    const slug = slugger.slug(text)
    anchors.add(slug)
    if (title === '') title = text
    tokens[index].attrSet('id', slug)
    return self.renderToken(tokens, index, options)
  }
  md.renderer.rules.table_open = () => '<div class="table"><table>'
  md.renderer.rules.table_close = () => '</table></div>'
  const html = md.render(markdown)
  for (const [, id] of markdown.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id)
  return { html, anchors, title }
}

/** Where a link of a page leads: to another page, to a file of the project that the site then holds too, or nowhere. */
function resolveAddress({ root, source, address, rendered }) {
  if (/^[a-z]+:/.test(address)) return {}
  const [file, anchor] = address.split('#')
  const target =
    file === ''
      ? source
      : path.posix.normalize(path.posix.join(path.posix.dirname(source), decodeURI(file)))
  const page = rendered.get(target)
  if (page !== undefined) {
    if (anchor !== undefined && !page.anchors.has(decodeURIComponent(anchor))) {
      return { problem: `${target} has no heading #${anchor}` }
    }
    return { to: relative(source, pageOf(target)) + (anchor === undefined ? '' : `#${anchor}`) }
  }
  if (target.startsWith('..') || !existsSync(path.join(root, target)))
    return { problem: `${address} does not exist` }
  return { to: relative(source, fileOf(target)), file: target }
}

const pageOf = (source) =>
  source === 'README.md' ? 'index.html' : source.replace(/\.md$/, '.html')
const fileOf = (file) => (pictures.has(path.extname(file)) ? file : `${file}.html`)
const relative = (source, target) => path.posix.relative(path.posix.dirname(pageOf(source)), target)

/** Pictures are copied. Other files are shown as text, and folders as a list of their files. */
function copyOrShow({ root, output, file }) {
  const from = path.join(root, file)
  if (pictures.has(path.extname(file))) {
    mkdirSync(path.dirname(path.join(output, file)), { recursive: true })
    copyFileSync(from, path.join(output, file))
    return
  }
  const text = statSync(from).isDirectory()
    ? readdirSync(from).join('\n')
    : readFileSync(from, 'utf8')
  const body = `<h1>${escapeHtml(file)}</h1>\n<pre><code>${escapeHtml(text)}</code></pre>`
  write(output, fileOf(file), layout({ source: file, title: file, body }))
}

function write(output, file, text) {
  mkdirSync(path.dirname(path.join(output, file)), { recursive: true })
  writeFileSync(path.join(output, file), text)
}

function layout({ source, title, body }) {
  const entry = ([page, name]) =>
    `<li><a href="${relative(source, pageOf(page))}"${page === source ? ' aria-current="page"' : ''}>${escapeHtml(name)}</a></li>`
  const groups = menu.map(
    (group) => `<h2>${group.title}</h2>\n<ul>${group.pages.map(entry).join('\n')}</ul>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title === 'Palimpsest' ? title : `${title} · Palimpsest`)}</title>
<link rel="stylesheet" href="${relative(source, 'style.css')}">
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<a class="to-pages" href="#pages">All pages</a>
<nav id="pages" aria-label="Pages">${groups.join('\n')}</nav>
<main id="content">
${body}
</main>
</body>
</html>
`
}

function escapeHtml(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
