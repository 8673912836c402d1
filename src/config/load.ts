import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { PalimpsestError } from '../core/words/errors.ts'
import type { Config, ConfigFile } from './config.ts'
import { mergeConfig } from './merge.ts'
import { type ConfigText, type ParsedConfig, parseConfig } from './parse.ts'
import { askedFor, projectPart } from './project-keys.ts'
import {
  answerTo,
  isForeignFile,
  realPath,
  type TrustRequest,
  trustRequest,
} from './trusted-folders.ts'

const ownName = 'palimpsest.jsonc'

export interface LoadOptions {
  /** The project's files are searched in this folder and those above it. */
  readonly cwd: string
  /** The user's configuration folder; see `userConfigFolder`. */
  readonly home?: string | undefined
  /**
   * A file that wins over those that are found: its path, or the name of a file of ACP or DCP (`acp`, `dcp.jsonc`), which
   * is searched in `.opencode` of this folder and those above it, and in `openCodeFolders`.
   */
  readonly config?: string | undefined
  /** OpenCode's own configuration folders, the preferred one first. */
  readonly openCodeFolders?: readonly string[] | undefined
  /** A configuration given directly, which wins over every file. */
  readonly text?: string | undefined
}

/**
 * The configuration that holds in a folder: the user's file, then each `palimpsest.jsonc` from the top of the tree down,
 * then the named file and the given text. A later one overrides an earlier one key by key; only protecting lists are
 * joined. Of a project's file, `projectPart` says what counts; all of it counts where the user trusts its folder.
 *
 * @throws PalimpsestError with code `configuration`, naming the file, the line and what would be valid there.
 */
export function loadConfig(options: LoadOptions): Config {
  let config: ConfigFile = {}
  const ignored: string[] = []
  const skipped: string[] = []
  const untrusted: TrustRequest[] = []
  for (const source of sourcesFor(options)) {
    if (source.isProject !== true) {
      const parsed = parseConfig(source)
      config = mergeConfig(config, parsed.config)
      note(parsed.ignored, source.where)
      continue
    }
    const parsed = parseProject(source)
    if (parsed === null) {
      skipped.push(`${source.where} belongs to another user and cannot be read; it is ignored`)
      continue
    }
    const { request, ...part } = projectConfig(source.where, parsed.config, config, options.home)
    config = mergeConfig(config, part.config)
    if (request !== null) untrusted.push(request)
    note(parsed.ignored, source.where)
  }
  const meaningless = `these keys have no meaning here and are ignored: ${ignored.join('; ')}`
  return {
    ...config,
    toolMappings: config.toolMappings ?? [],
    warnings: [...skipped, ...(ignored.length === 0 ? [] : [meaningless])],
    ...(untrusted.length === 0 ? {} : { untrusted }),
  }

  function note(keys: readonly string[], where: string): void {
    if (keys.length > 0) ignored.push(`${keys.join(', ')} (${where})`)
  }
}

/** A file or text that the configuration is made of, and what counts of it. */
export interface ConfigSource {
  /** The file, or words for a given text. */
  readonly where: string
  readonly kind: 'user' | 'project' | 'option'
  readonly config: ConfigFile
  /** True when a part of it is ignored because the user does not trust its folder. */
  readonly isUntrusted: boolean
}

/** The sources of `loadConfig` in their order; a later one overrides an earlier one. */
export function configSources(options: LoadOptions): readonly ConfigSource[] {
  const own = options.home === undefined ? null : join(resolve(options.home), ownName)
  let base: ConfigFile = {}
  return [...sourcesFor(options)].flatMap((source): readonly ConfigSource[] => {
    const { where } = source
    if (source.isProject !== true) {
      const { config } = parseConfig(source)
      base = mergeConfig(base, config)
      return [{ where, kind: where === own ? 'user' : 'option', config, isUntrusted: false }]
    }
    const parsed = parseProject(source)
    if (parsed === null) return []
    const { config, request } = projectConfig(where, parsed.config, base, options.home)
    base = mergeConfig(base, config)
    return [{ where, kind: 'project', config, isUntrusted: request !== null }]
  })
}

/**
 * What a folder's own files ask for beyond what a project may set, answered by the user or not.
 *
 * @throws PalimpsestError with code `configuration` when one of them cannot be read.
 */
export function requestsOf(folder: string, home: string | undefined): readonly TrustRequest[] {
  const own = home === undefined ? null : join(resolve(home), ownName)
  const base = own !== null && existsSync(own) ? parseConfig(readSource(own)).config : {}
  const plugins = ['acp.jsonc', 'acp.json', 'dcp.jsonc', 'dcp.json']
  const files = [ownName, ...plugins.map((name) => join('.opencode', name))]
  return files
    .map((name) => join(folder, name))
    .filter((file) => existsSync(file))
    .flatMap((file) => requestIn(file, parseConfig(readSource(file)).config, base) ?? [])
}

function requestIn(file: string, asked: ConfigFile, base: ConfigFile): TrustRequest | null {
  const keys = Object.keys(projectPart(asked, base).refused)
  return keys.length === 0 ? null : trustRequest(file, keys, askedFor(asked))
}

interface ProjectConfig {
  readonly config: ConfigFile
  /** What was ignored and the user has not declined. */
  readonly request: TrustRequest | null
}

function projectConfig(
  file: string,
  asked: ConfigFile,
  base: ConfigFile,
  home: string | undefined,
): ProjectConfig {
  const { config } = projectPart(asked, base)
  const request = requestIn(file, asked, base)
  if (request === null) return { config, request }
  const answer = answerTo(request, home)
  if (answer?.trusted === true) return { config: asked, request: null }
  return { config, request: answer === undefined ? request : null }
}

/** null for an invalid file of another user, which must not stop this one. */
function parseProject(source: ConfigText): ParsedConfig | null {
  try {
    return parseConfig(source)
  } catch (error) {
    if (isForeignFile(source.where)) return null
    throw error
  }
}

interface Source extends ConfigText {
  readonly isProject?: boolean
}

function* sourcesFor(options: LoadOptions): Iterable<Source> {
  const { home, cwd } = options
  const own = home === undefined ? null : join(resolve(home), ownName)
  if (own !== null && existsSync(own)) yield readSource(own)
  const ownFile = own === null ? null : realPath(own)
  const project = foldersAbove(cwd).map((folder) => join(folder, ownName))
  for (const file of project)
    if (existsSync(file) && realPath(file) !== ownFile) yield projectSource(file)
  if (options.config !== undefined) yield namedSource(options.config, options)
  if (options.text !== undefined) {
    yield { text: options.text, where: 'the given configuration', fileName: ownName }
  }
}

function projectSource(file: string): Source {
  try {
    return { ...readSource(file), isProject: true }
  } catch (error) {
    if (!isForeignFile(file)) throw error
    return { text: '', where: file, fileName: ownName, isProject: true }
  }
}

/** A file that was found by the name of a plugin belongs to the project, unless it is in OpenCode's own folder. */
function namedSource(name: string, options: LoadOptions): Source {
  const file = namedFile(name, options)
  const isFound = pluginFile.test(name)
  const isUsers = (options.openCodeFolders ?? []).some((folder) => dirname(file) === folder)
  return { ...readSource(file), isProject: isFound && !isUsers }
}

const pluginFile = /^(acp|dcp)(\.jsonc?)?$/

function namedFile(name: string, { cwd, openCodeFolders = [] }: LoadOptions): string {
  const given = resolve(cwd, name)
  const places = [given]
  const known = pluginFile.exec(name)
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
