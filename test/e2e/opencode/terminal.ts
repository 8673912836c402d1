import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServePlan, TerminalAct } from './serve-plan.ts'

export interface TerminalPlan
  extends Pick<ServePlan, 'command' | 'folder' | 'environment' | 'answers'> {
  readonly acts: readonly TerminalAct[]
}

/** A narrow window: no sidebar beside the conversation, and lines that a page can hold. */
const size = ['-x', '100', '-y', '46']
const patienceMs = 60_000

/**
 * Starts the host's interface in a terminal of its own and does what a person would do. When something that was waited for
 * does not come, the screen as it is stands under `missed`, and nothing more is done.
 */
export async function atTerminal(plan: TerminalPlan): Promise<Readonly<Record<string, string>>> {
  const socket = join(dirname(plan.answers), 'tmux')
  const tmux = (...args: readonly string[]): string =>
    spawnSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], {
      cwd: plan.folder,
      env: plan.environment,
      encoding: 'utf8',
    }).stdout
  const screen = (): string => tmux('capture-pane', '-p', '-t', 'host')
  const screens: Record<string, string> = {}
  let last = ''
  const filled = (text: string): string =>
    text.replaceAll('{handle}', /\b[0-9a-f]{6}\b/.exec(last)?.[0] ?? 'none')
  // With two words, tmux starts the program itself; it would give a single one to a shell, which splits it at spaces.
  tmux('new-session', '-d', ...size, '-s', 'host', 'env', plan.command)
  try {
    for (const act of plan.acts) {
      if (act.kind === 'type') tmux('send-keys', '-t', 'host', '-l', '--', filled(act.text))
      else if (act.kind === 'press') tmux('send-keys', '-t', 'host', act.key)
      else if (act.kind === 'resize')
        tmux('resize-window', '-t', 'host', '-x', `${act.columns}`, '-y', `${act.rows}`)
      else if (act.kind === 'screen') {
        last = screen()
        screens[act.name] = last
      } else if (!(await comes(filled(act.text), screen))) {
        screens.missed = `${act.text}\n${screen()}`
        break
      }
    }
  } finally {
    tmux('kill-server')
  }
  return screens
}

async function comes(text: string, screen: () => string): Promise<boolean> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await pause(200)) {
    if (screen().includes(text)) return true
  }
  return false
}
