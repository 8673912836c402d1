import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { PalimpsestError } from '../core/errors.ts'
import type { Config, ConfigFile } from './config.ts'
import { mergeConfig } from './merge.ts'
import { type ConfigText, parseConfig } from './parse.ts'
import { trustedPart } from './trusted.ts'

const ownName = 'palimpsest.jsonc'

export interface LoadOptions {
  /** Where the project is looked for: this folder and those above it. */
  readonly cwd: string
  /** The user's configuration folder; see `userConfigFolder`. */
  readonly home?: string | undefined
  /**
   * A file that wins over those that are found: its path, or the name of a file of ACP or DCP (`acp`, `dcp.jsonc`), which is
   * then looked for in `.opencode` of this folder and those above it, and in `openCodeFolders`.
   */
  readonly config?: string | undefined
  /** OpenCode's own configuration folders, the preferred one first. */
  readonly openCodeFolders?: readonly string[] | undefined
  /** A configuration given directly, which wins over every file. */
  readonly text?: string | undefined
}

/**
 * The configuration that holds in a folder: the user's, then each `palimpsest.jsonc` from the top of the tree down, then
 * what is named or given. The nearest that names a key decides it; only the lists that protect are joined.
 *
 * @throws PalimpsestError with code `configuration`, naming the file, the line and what would be valid there.
 */
export function loadConfig(options: LoadOptions): Config {
  let config: ConfigFile = {}
  const ignored: string[] = []
  for (const source of sourcesFor(options)) {
    const parsed = parseConfig(source)
    const trusted =
      source.isProject === true
        ? trustedPart(parsed.config)
        : { config: parsed.config, refused: [] }
    config = mergeConfig(config, trusted.config)
    const unread = [...parsed.ignored, ...trusted.refused]
    if (unread.length > 0) ignored.push(`${unread.join(', ')} (${source.where})`)
  }
  return {
    ...config,
    toolMappings: config.toolMappings ?? [],
    warnings:
      ignored.length === 0
        ? []
        : [`these keys have no meaning here and are ignored: ${ignored.join('; ')}`],
  }
}

interface Source extends ConfigText {
  readonly isProject?: boolean
}

function* sourcesFor(options: LoadOptions): Iterable<Source> {
  const own = options.home === undefined ? null : join(resolve(options.home), ownName)
  for (const file of foundFiles(options)) yield { ...readSource(file), isProject: file !== own }
  if (options.config !== undefined) yield readSource(namedFile(options.config, options))
  if (options.text !== undefined) {
    yield { text: options.text, where: 'the given configuration', fileName: ownName }
  }
}

function foundFiles({ cwd, home }: LoadOptions): readonly string[] {
  const files = foldersAbove(cwd).map((folder) => join(folder, ownName))
  const own = home === undefined ? null : join(resolve(home), ownName)
  const ordered = own === null ? files : [own, ...files.filter((file) => file !== own)]
  return ordered.filter((file) => existsSync(file))
}

function namedFile(name: string, { cwd, openCodeFolders = [] }: LoadOptions): string {
  const given = resolve(cwd, name)
  const places = [given]
  const known = /^(acp|dcp)(\.jsonc?)?$/.exec(name)
  if (known !== null) {
    const names = known[2] === undefined ? [`${name}.jsonc`, `${name}.json`] : [name]
    const nearestFirst = foldersAbove(cwd).toReversed()
    const folders = [...nearestFirst.map((each) => join(each, '.opencode')), ...openCodeFolders]
    places.push(...folders.flatMap((folder) => names.map((each) => join(folder, each))))
  }
  const file = places.find((place) => existsSync(place))
  if (file !== undefined) return file
  const message = `${given}: there is no such configuration file. Name one that exists.`
  throw new PalimpsestError('configuration', message)
}

/** The folder and those that hold it, the outermost first. */
function foldersAbove(folder: string): readonly string[] {
  const folders = [resolve(folder)]
  for (let above = dirname(folders[0] ?? ''); above !== folders[0]; above = dirname(above)) {
    folders.unshift(above)
  }
  return folders
}

function readSource(file: string): ConfigText {
  try {
    return { text: readFileSync(file, 'utf8'), where: file, fileName: basename(file) }
  } catch (cause) {
    const message = `${file}: cannot be read. Make it a readable file, or remove it.`
    throw new PalimpsestError('configuration', message, { cause })
  }
}
