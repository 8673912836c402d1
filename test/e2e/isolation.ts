import { spawnSync } from 'node:child_process'

/** How to start a process so that it sees nothing but loopback. */
export interface Isolation {
  readonly isolated: boolean
  readonly wrap: (command: readonly string[]) => readonly string[]
}

const raiseLoopback = 'ip link set lo up && exec "$@"'

const candidates: readonly (readonly string[])[] = [
  ['unshare', '--net', 'sh', '-c', raiseLoopback, 'sh'],
  ['unshare', '--user', '--map-root-user', '--net', 'sh', '-c', raiseLoopback, 'sh'],
]

/** A network namespace where the machine allows one, otherwise nothing around the process. */
export function findIsolation(): Isolation {
  const root = process.getuid?.() === 0
  const usable = candidates.slice(root ? 0 : 1).find(([command, ...args]) => {
    return spawnSync(command!, [...args, 'true'], { stdio: 'ignore' }).status === 0
  })
  return usable === undefined
    ? { isolated: false, wrap: (command) => command }
    : { isolated: true, wrap: (command) => [...usable, ...command] }
}
