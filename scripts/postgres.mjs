// A PostgreSQL server for tests. `node scripts/postgres.mjs` installs PostgreSQL when possible, creates a cluster in a
// scratch folder, prints the URL of its database, and runs until its standard input ends; then it removes everything.
// The line `restart` on standard input kills the server like a power cut and starts it again; `stop` and `start` do one
// of the two. Each command is answered with the line `done`.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { installPackage } from './system-package.mjs'

/** The folder of PostgreSQL's programs, or null when it is not installed. */
export function postgresFolder() {
  const packaged = '/usr/lib/postgresql'
  const versions = existsSync(packaged) ? readdirSync(packaged) : []
  const folders = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(packaged, version, 'bin'))
  const onPath = (process.env.PATH ?? '').split(path.delimiter)
  return [...folders, ...onPath].find((folder) => existsSync(path.join(folder, 'initdb'))) ?? null
}

/** The connection pooler's program, or null when it is not installed. */
export function pgbouncerProgram() {
  const folders = ['/usr/sbin', ...(process.env.PATH ?? '').split(path.delimiter)]
  const programs = folders.map((folder) => path.join(folder, 'pgbouncer'))
  return programs.find((program) => existsSync(program)) ?? null
}

/** Installs server and pooler as system packages, when this user has permission. */
export function installPostgres() {
  if (postgresFolder() === null) installPackage('postgresql')
  if (pgbouncerProgram() === null) installPackage('pgbouncer')
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}

/** The user to run as, because PostgreSQL and PgBouncer refuse to run as root. */
export function unprivileged() {
  if (process.getuid?.() !== 0) return {}
  for (const user of ['postgres', 'nobody']) {
    const ids = ['-u', '-g'].map((flag) =>
      Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout),
    )
    if (ids.every((id) => id > 0)) return { uid: ids[0], gid: ids[1] }
  }
  throw new Error('PostgreSQL cannot run as root. Create a user `postgres` or `nobody`')
}

async function main() {
  installPostgres()
  const programs = postgresFolder()
  if (programs === null) throw new Error('PostgreSQL is not installed')
  const user = unprivileged()
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-postgres-'))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = path.join(folder, 'data')
  const password = randomBytes(12).toString('hex')
  const options = { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] }
  const passwordFile = path.join(folder, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (user.uid !== undefined) chownSync(passwordFile, user.uid, user.gid)
  const made = spawnSync(
    path.join(programs, 'initdb'),
    [
      '--no-sync',
      '--username=postgres',
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C',
      `--pgdata=${data}`,
    ],
    { ...options, encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const port = await freePort()
  let server = null

  function start() {
    return new Promise((resolve, reject) => {
      // A scratch cluster need not survive a power failure.
      const args = [
        '-c',
        'fsync=off',
        '-D',
        data,
        '-h',
        '127.0.0.1',
        '-p',
        String(port),
        '-k',
        folder,
      ]
      server = spawn(path.join(programs, 'postgres'), args, options)
      let log = ''
      server.stderr.setEncoding('utf8').on('data', (text) => {
        log = (log + text).slice(-10_000)
        if (log.includes('ready to accept connections')) resolve()
      })
      server.once('exit', () => reject(new Error(`PostgreSQL ended: ${log}`)))
    })
  }

  function stop() {
    return new Promise((resolve) => {
      if (server === null || server.exitCode !== null || server.signalCode !== null)
        return resolve()
      server.once('exit', resolve)
      // SIGQUIT stops PostgreSQL at once, without a checkpoint.
      server.kill('SIGQUIT')
    })
  }

  const actions = {
    stop,
    start,
    restart: async () => {
      await stop()
      await start()
    },
  }
  await start()
  console.log(`postgres://postgres:${password}@127.0.0.1:${port}/postgres`)
  const ask = createInterface({ input: process.stdin })
  for await (const line of ask) {
    await actions[line.trim()]?.()
    console.log('done')
  }
  await stop()
  rmSync(folder, { recursive: true, force: true })
}

if (process.argv[1] === import.meta.filename) await main()
