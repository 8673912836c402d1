import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const packageName = '@tarquinen/opencode-dcp'

/** The version to compare with; `--dcp-version` chooses another. */
export const dcpVersion = '3.1.14'

export interface InstalledDcp {
  readonly version: string
  /** The file that OpenCode would load. */
  readonly entry: string
  /** What keeps the plugin's files in the scratch folder. */
  readonly environment: Readonly<Record<string, string>>
}

/**
 * Installs DCP from the registry into a scratch folder, where it stays for the next run. It has its default configuration,
 * except that it must not update itself.
 */
export function installDcp(folder: string, version: string = dcpVersion): InstalledDcp {
  const installed = path.join(folder, 'node_modules', ...packageName.split('/'))
  if (versionIn(installed) !== version) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n')
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
    execFileSync('npm', ['install', ...options, `${packageName}@${version}`], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  const home = path.join(folder, 'home')
  const environment = {
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_DATA_HOME: path.join(home, '.local', 'share'),
    XDG_CACHE_HOME: path.join(home, '.cache'),
  }
  mkdirSync(path.join(environment.XDG_CONFIG_HOME, 'opencode'), { recursive: true })
  writeFileSync(
    path.join(environment.XDG_CONFIG_HOME, 'opencode', 'dcp.jsonc'),
    '{"autoUpdate": false}\n',
  )
  return { version, entry: path.join(installed, 'dist', 'index.js'), environment }
}

function versionIn(folder: string): string | null {
  const manifest = path.join(folder, 'package.json')
  if (!existsSync(manifest)) return null
  const parsed: unknown = JSON.parse(readFileSync(manifest, 'utf8'))
  const version: unknown =
    typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, 'version') : null
  return typeof version === 'string' ? version : null
}
