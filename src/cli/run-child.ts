import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'

export interface ChildOptions {
  readonly program: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
}

/**
 * Runs a program in this terminal until it ends, and returns its exit code; 128 and the signal's number when a signal ended
 * it. It shares our process group, so that the terminal's own signals, its size and job control reach it directly.
 */
export async function runChild({ program, args, env, cwd }: ChildOptions): Promise<number> {
  const child = spawn(program, args, { cwd, env, stdio: 'inherit' })
  const stopForwarding = forwardSignals(child)
  const stopFollowing = followStops(child)
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code, signal) => {
        resolve(code ?? 128 + (signal === null ? 0 : (constants.signals[signal] ?? 0)))
      })
    })
  } finally {
    stopForwarding()
    stopFollowing()
  }
}

/**
 * Passes on signals that were sent to us alone. Ctrl-C and Ctrl-\ in a terminal reach the child without us, and must not
 * end us before it.
 */
function forwardSignals(child: ChildProcess): () => void {
  const isTerminal = process.stdin.isTTY === true
  const fromTerminal: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']
  const handlers = (['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => {
    const handler = (): void => {
      if (!isTerminal || !fromTerminal.includes(signal)) child.kill(signal)
    }
    process.on(signal, handler)
    return () => process.off(signal, handler)
  })
  return () => {
    for (const remove of handlers) remove()
  }
}

/**
 * Some agents stop themselves on Ctrl-Z, and not the whole group. The shell waits for us, so that we stop too; when it
 * continues us, we continue the child. Where `/proc` is missing, Ctrl-Z works with agents that stop their group.
 */
function followStops(child: ChildProcess): () => void {
  const { pid } = child
  if (process.stdin.isTTY !== true || pid === undefined || process.platform !== 'linux')
    return () => {}
  const timer = setInterval(() => {
    if (stateOf(pid) !== 'T') return
    process.kill(process.pid, 'SIGSTOP')
    child.kill('SIGCONT')
  }, 200)
  return () => clearInterval(timer)
}

function stateOf(pid: number): string | undefined {
  try {
    return /^State:\s*(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
