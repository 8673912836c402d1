export interface PathsOptions {
  /** The agent's working directory, or null when unknown. */
  readonly cwd: string | null
  /** The repository's main working tree. By default it is derived from `cwd`. */
  readonly root?: string | null | undefined
  /** Further working trees of the same repository, as absolute paths. */
  readonly worktrees?: readonly string[] | undefined
}

export interface Paths {
  /**
   * The canonical form of a path: absolute if the working directory is known, with forward slashes, without `.`, `..` or
   * a trailing slash, and inside the main working tree for files of a worktree. `workdir` is the directory in the call.
   * Works on strings only: links are not followed, and names keep their case.
   */
  canonical(path: string, workdir?: string | null): string
  same(a: string, b: string): boolean
}

export function createPaths(options: PathsOptions): Paths {
  const cwd = options.cwd === null ? null : plain(options.cwd, null)
  const windows = cwd !== null && /^[a-z]:/.test(cwd)
  const home = cwd === null ? null : homeOf(cwd)
  const given =
    options.root === null || options.root === undefined ? null : plain(options.root, null)
  const declared = (options.worktrees ?? [])
    .map((path) => normalised(plain(path, home)))
    .filter((path) => isAbsolute(path))
    .sort((a, b) => b.length - a.length)
  const base = cwd ?? given
  const root = given ?? mainTree(base, declared)

  const absolute = (path: string, workdir: string | null): string => {
    const spelled = plain(path, home, { windows })
    if (isAbsolute(spelled) || spelled.startsWith('~')) return normalised(spelled)
    const from = workdir === null || workdir === '' ? base : absolute(workdir, null)
    return normalised(from === null || from === '' ? spelled : `${from}/${spelled}`)
  }
  const canonical = (path: string, workdir: string | null = null): string =>
    path === '' ? '' : inMainTree(absolute(path, workdir), root, declared)
  return { canonical, same: (a, b) => canonical(a) === canonical(b) }
}

/** A path without quotes, scheme, Windows separators and `~`. */
function plain(path: string, home: string | null, options = { windows: false }): string {
  let text = path.trim()
  const quote = /^(["'`])(.*)\1$/s.exec(text)
  if (quote !== null) text = quote[2] ?? ''
  if (/^file:\/\//i.test(text)) text = fromFileUrl(text)
  if (isWindowsSpelling(text) || options.windows) {
    text = text.replaceAll('\\', '/').replace(/^\/\/\?\//, '')
    if (options.windows) text = text.replace(/^\/([a-zA-Z])(?=\/|$)/, '$1:')
  }
  text = text.replace(/^[A-Z]:/, (drive) => drive.toLowerCase())
  if (home !== null && /^(~|\$HOME|\$\{HOME\})(?=\/|$)/.test(text)) {
    text = text.replace(/^(~|\$HOME|\$\{HOME\})/, () => home)
  }
  return text.replace(/^\/private(?=\/(tmp|var|etc)(\/|$))/, '')
}

function isWindowsSpelling(path: string): boolean {
  return (
    /^[a-zA-Z]:[\\/]/.test(path) ||
    path.startsWith('\\\\') ||
    // A backslash before a name is a separator; before a space it is a shell escape.
    (/^[\w.@-]+(\\[\w.@-][\w.@ -]*)+$/.test(path) && !path.includes('/'))
  )
}

function fromFileUrl(url: string): string {
  const rest = url.replace(/^file:\/\/(localhost(?=\/))?/i, '')
  const path = rest.replace(/^\/([a-zA-Z]:)(?=\/|$)/, '$1')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[a-z]:(\/|$)/.test(path)
}

function normalised(path: string): string {
  const prefix = /^[a-z]:(?=\/|$)/.exec(path)?.[0] ?? ''
  const rooted = prefix !== '' || path.startsWith('/')
  const kept: string[] = []
  for (const part of path.slice(prefix.length).split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') kept.push(part)
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop()
    else if (!rooted) kept.push('..')
  }
  const joined = kept.join('/')
  if (rooted) return `${prefix}/${joined}`
  return joined === '' ? '.' : joined
}

function homeOf(cwd: string): string | null {
  return /^(?:[a-z]:)?\/(?:home|Users)\/[^/]+|^\/(?:root)(?=\/|$)/.exec(cwd)?.[0] ?? null
}

const worktreeFolder = /^(.*?)\/(?:\.git\/worktrees|\.worktrees|\.claude\/worktrees)\/[^/]+(?=\/|$)/

/** The main working tree of a directory, derived from its path. */
function mainTree(path: string | null, declared: readonly string[]): string | null {
  if (path === null) return null
  const nested = worktreeFolder.exec(normalised(path))
  if (nested !== null) return nested[1] ?? null
  return declared.some((tree) => isInside(normalised(path), tree)) ? null : normalised(path)
}

function inMainTree(path: string, root: string | null, declared: readonly string[]): string {
  const main = root === null ? null : normalised(root)
  const tree = declared.find((candidate) => candidate !== main && isInside(path, candidate))
  if (tree !== undefined && main !== null) return normalised(`${main}/${path.slice(tree.length)}`)
  const nested = worktreeFolder.exec(path)
  return nested === null ? path : normalised(`${nested[1] ?? ''}/${path.slice(nested[0].length)}`)
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}
