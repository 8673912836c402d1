import { spawn } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort, pgbouncerProgram, unprivileged } from '../../scripts/postgres.mjs'

export interface Pooler {
  /** The same database through the pooler. */
  through(url: string): string
  stop(): Promise<void>
}

/** PgBouncer before a server, in transaction mode, with fewer connections than its clients have. */
export async function startPgbouncer(server: string, users: readonly string[]): Promise<Pooler> {
  const { port, password } = new URL(server)
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-pgbouncer-'))
  const listen = await freePort()
  const file = (name: string, lines: readonly string[]): string => {
    const place = path.join(folder, name)
    writeFileSync(place, `${lines.join('\n')}\n`)
    return place
  }
  const known = users.map((user) => `"${user}" "${password}"`)
  const configuration = file('pgbouncer.ini', [
    '[databases]',
    `* = host=127.0.0.1 port=${port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listen}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${file('users.txt', known)}`,
    'pool_mode = transaction',
    'default_pool_size = 3',
  ])
  const user = unprivileged()
  if (user.uid !== undefined && user.gid !== undefined) {
    for (const name of ['', 'pgbouncer.ini', 'users.txt'])
      chownSync(path.join(folder, name), user.uid, user.gid)
  }
  const child = spawn(pgbouncerProgram() ?? '', [configuration], {
    ...user,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let log = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-10_000)
      if (log.includes('process up')) resolve()
    })
    void ended.then(() => reject(new Error(`PgBouncer ended: ${log}`)))
  })
  return {
    through: (url) => url.replace(`:${port}/`, `:${listen}/`),
    async stop() {
      child.kill('SIGQUIT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
