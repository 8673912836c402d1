import { spawnSync } from 'node:child_process'
import path from 'node:path'
import type { FileChange, UserSetup } from './agent.ts'
import { findProgram } from './find-program.ts'

/** What keeps the gateway running. */
export interface ServiceManager {
  readonly name: string
  readonly file: string
  unit(parts: ServiceParts): FileChange
  /** Starts the service, or starts it again. Returns what went wrong; null when nothing did. */
  start(): string | null
  stop(): void
  isActive(): boolean
  /** Shows why it does not run. */
  readonly logCommand: string
  readonly startCommand: string
}

export interface ServiceParts {
  /** The command that runs the gateway. */
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

const label = 'palimpsest'

/** The service manager of this user; null where there is none that we know. */
export function serviceManager(
  user: UserSetup,
  platform: NodeJS.Platform = process.platform,
): ServiceManager | null {
  if (platform === 'darwin') return launchd(user)
  if (platform !== 'linux' || findProgram('systemctl', user.env, user.cwd) === null) return null
  const manager = systemd(user)
  // A container has the program and no manager behind it.
  return call(user, 'systemctl', '--user', 'show-environment') === null ? manager : null
}

function systemd(user: UserSetup): ServiceManager {
  const folder = user.env.XDG_CONFIG_HOME || path.join(user.home, '.config')
  const file = path.join(folder, 'systemd', 'user', `${label}.service`)
  const control = (...args: readonly string[]): string | null =>
    call(user, 'systemctl', '--user', ...args)
  return {
    name: 'systemd',
    file,
    unit: ({ command, env }) => ({
      file,
      change: { kind: 'whole', text: systemdUnit(command, env) },
    }),
    start: () => control('daemon-reload') ?? control('enable', label) ?? control('restart', label),
    stop() {
      control('disable', '--now', label)
      control('daemon-reload')
    },
    isActive: () => control('is-active', '--quiet', label) === null,
    logCommand: `journalctl --user -u ${label} -n 20`,
    startCommand: `systemctl --user restart ${label}`,
  }
}

export function systemdUnit(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): string {
  // Inside quotes, systemd expands `%`, and `$` in commands.
  const word = (text: string): string =>
    `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`
  return [
    '# Written by `palimpsest init`; `palimpsest init --undo` removes it.',
    '[Unit]',
    'Description=Palimpsest gateway',
    '',
    '[Service]',
    `ExecStart=${command.map((each) => word(each).replaceAll('$', '$$$$')).join(' ')}`,
    ...Object.entries(env).map(([name, value]) => `Environment=${word(`${name}=${value}`)}`),
    'Restart=on-failure',
    'RestartSec=2',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n')
}

function launchd(user: UserSetup): ServiceManager {
  const file = path.join(user.home, 'Library', 'LaunchAgents', `${label}.plist`)
  const domain = `gui/${process.getuid?.() ?? 0}`
  const log = path.join(user.home, 'Library', 'Logs', `${label}.log`)
  return {
    name: 'launchd',
    file,
    unit: ({ command, env }) => ({
      file,
      change: { kind: 'whole', text: launchdPlist(command, env, log) },
    }),
    start() {
      call(user, 'launchctl', 'bootout', `${domain}/${label}`)
      return call(user, 'launchctl', 'bootstrap', domain, file)
    },
    stop: () => void call(user, 'launchctl', 'bootout', `${domain}/${label}`),
    isActive: () => call(user, 'launchctl', 'print', `${domain}/${label}`) === null,
    logCommand: `tail -n 20 ${log}`,
    startCommand: `launchctl kickstart -k ${domain}/${label}`,
  }
}

export function launchdPlist(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  log: string,
): string {
  const text = (value: string): string =>
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const string = (value: string): string => `<string>${text(value)}</string>`
  const variables = Object.entries(env).flatMap(([name, value]) => [
    `    <key>${text(name)}</key>`,
    `    ${string(value)}`,
  ])
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<!-- Written by `palimpsest init`, which can remove it too. -->',
    '<plist version="1.0">',
    '<dict>',
    '  <key>Label</key>',
    `  ${string(label)}`,
    '  <key>ProgramArguments</key>',
    '  <array>',
    ...command.map((each) => `    ${string(each)}`),
    '  </array>',
    '  <key>EnvironmentVariables</key>',
    '  <dict>',
    ...variables,
    '  </dict>',
    '  <key>RunAtLoad</key>',
    '  <true/>',
    '  <key>KeepAlive</key>',
    '  <true/>',
    '  <key>StandardErrorPath</key>',
    `  ${string(log)}`,
    '</dict>',
    '</plist>',
    '',
  ].join('\n')
}

/** null when the command succeeded, else what it said. */
function call({ env }: UserSetup, program: string, ...args: readonly string[]): string | null {
  const { status, stderr, error } = spawnSync(program, args, {
    env: { ...env } as NodeJS.ProcessEnv,
    encoding: 'utf8',
    timeout: 20_000,
  })
  if (status === 0) return null
  return (error?.message ?? stderr).trim() || `${program} ended with code ${status}`
}
