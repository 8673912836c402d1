import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface PostgresProcess {
  readonly url: string
  stop(): Promise<void>
}

/** The server that the tests use, without any store in it. */
export async function startPostgres(): Promise<PostgresProcess> {
  const child = spawn(process.execPath, ['scripts/postgres.mjs'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const { value, done } = await lines.next()
  if (done === true) throw new Error('PostgreSQL did not start')
  return {
    url: String(value),
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}
