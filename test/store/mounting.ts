import { spawnSync } from 'node:child_process'

/** Whether a process may have file systems of its own that nobody else sees. */
export const canMount: boolean =
  spawnSync('unshare', ['--mount', '--map-root-user', 'true']).status === 0
