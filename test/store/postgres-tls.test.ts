import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresFolder } from '../../scripts/postgres.mjs'
import { openStore } from '../../src/store/index.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'

/** What goes wrong when the store is opened; 'opened' when nothing does. */
async function outcome(url: string, query = ''): Promise<string> {
  try {
    const location = { kind: 'postgres', url: `${url}${query}` } as const
    await (await openStore(location)).close()
    return 'opened'
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string }
    expect(message).not.toContain(new URL(url).password)
    return `${code}: ${message}`
  }
}

describe.skipIf(postgresFolder() === null)('TLS [npm test -- --all installs it]', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest tls '))
  const inFolder = (name: string): string => path.join(folder, name)
  let server: PostgresServer
  let url = ''
  /** A server as it is made: it knows nothing of TLS. */
  let plain = ''

  beforeAll(async () => {
    server = await startPostgres()
    plain = await server.database()
    // Everything before TLS is switched on is asked of the server without it.
    withoutTls.push(
      ['prefer', await outcome(plain, '?sslmode=prefer')],
      ['require', await outcome(plain, '?sslmode=require')],
    )
    makeCertificates(folder)
    url = await server.database()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    const { uid, gid } = statSync(rows[0]?.data_directory ?? '')
    for (const name of ['', 'server.key', 'server.crt'])
      if (process.getuid?.() === 0) chownSync(inFolder(name), uid, gid)
    await client.query(`alter system set ssl_cert_file = '${inFolder('server.crt')}'`)
    await client.query(`alter system set ssl_key_file = '${inFolder('server.key')}'`)
    await client.query('alter system set ssl = on')
    await client.end()
    await server.stop()
    await server.start()
  }, 60_000)
  afterAll(async () => {
    await server.end()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  const withoutTls: (readonly [string, string])[] = []

  it('is left out by sslmode=prefer where the server has none, and missed by sslmode=require', () => {
    expect(withoutTls).toEqual([
      ['prefer', 'opened'],
      ['require', expect.stringMatching(/^store-unreachable: .*does not support SSL/)],
    ])
  })

  it.each(['prefer', 'require', 'no-verify'])(
    'encrypts with sslmode=%s, with a certificate of any authority',
    async (mode) => {
      await onlyEncrypted(async () => expect(await outcome(url, `?sslmode=${mode}`)).toBe('opened'))
    },
  )

  it('that the server demands and the URL does not ask for is explained', async () => {
    await onlyEncrypted(async () => {
      for (const query of ['', '?sslmode=disable'])
        expect(await outcome(url, query)).toMatch(/^store-unreachable: .*\?sslmode=require/)
    })
  })

  it('with sslmode=verify-full takes a certificate of sslrootcert for that host alone', async () => {
    const root = `sslrootcert=${encodeURIComponent(inFolder('ca.crt'))}`
    expect(await outcome(url, `?sslmode=verify-full&${root}`)).toMatch(/^store-unreachable: .*IP/)
    const byName = url.replace('127.0.0.1', 'localhost')
    await onlyEncrypted(async () => {
      expect(await outcome(byName, `?sslmode=verify-full&${root}`)).toBe('opened')
      expect(await outcome(byName, `?${root}`)).toBe('opened')
      expect(await outcome(url, `?sslmode=verify-ca&${root}`)).toBe('opened')
      expect(await outcome(url, `?sslmode=require&${root}`)).toBe('opened')
    })
    expect(await outcome(byName, '?sslmode=verify-full')).toMatch(
      /^store-unreachable: .*certificate/,
    )
    const other = `sslrootcert=${encodeURIComponent(inFolder('other.crt'))}`
    for (const mode of ['verify-full', 'verify-ca', 'require'])
      expect(await outcome(byName, `?sslmode=${mode}&${other}`)).toMatch(/^store-unreachable: /)
  })

  it.each([
    ['?sslmode=verify', /^usage: sslmode=verify is not known; use one of: disable, /],
    ['?sslmode=verify-ca', /^usage: .*needs sslrootcert=FILE/],
    ['?sslrootcert=/nowhere/ca.crt', /^usage: sslrootcert .*\/nowhere\/ca.crt cannot be read/],
  ])('refuses %s', async (query, message) => {
    expect(await outcome(url, query)).toMatch(message)
  })

  /** While the work is done, the server takes only connections over TLS. */
  async function onlyEncrypted(work: () => Promise<void>): Promise<void> {
    const database = new URL(url).pathname.slice(1)
    await rewriteAccess(`hostssl ${database} all all scram-sha-256`)
    try {
      await work()
    } finally {
      await rewriteAccess(`host ${database} all all scram-sha-256`)
    }
  }

  async function rewriteAccess(line: string): Promise<void> {
    const client = new pg.Client({ connectionString: plain })
    await client.connect()
    try {
      const { rows } = await client.query<{ hba_file: string }>('show hba_file')
      const others = `host ${new URL(plain).pathname.slice(1)} all all scram-sha-256`
      writeFileSync(rows[0]?.hba_file ?? '', `${line}\n${others}\n`)
      await client.query('select pg_reload_conf()')
      // The server reads it when it comes to it.
      for (let tries = 0; tries < 100; tries++) {
        const { rows: rules } = await client.query<{ type: string }>(
          'select type from pg_hba_file_rules where line_number = 1',
        )
        if (rules[0]?.type === line.split(' ')[0]) break
      }
    } finally {
      await client.end()
    }
  }
})

/** An authority and a certificate that it gave to `localhost`, and an authority that gave none. */
function makeCertificates(folder: string): void {
  const openssl = (...args: readonly string[]): void =>
    void execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  for (const name of ['ca', 'other'])
    openssl(
      'req',
      '-x509',
      ...key,
      ...['-keyout', `${name}.key`, '-out', `${name}.crt`, '-subj', `/CN=${name}`, '-days', '2'],
    )
  openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=server')
  writeFileSync(path.join(folder, 'names'), 'subjectAltName=DNS:localhost\n')
  const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2']
  openssl('x509', '-req', '-in', 'server.csr', '-out', 'server.crt', ...signed, '-extfile', 'names')
}
