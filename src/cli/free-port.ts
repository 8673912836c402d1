import { createServer } from 'node:net'

/** The default port of the gateway. */
export const defaultPort = 8787

/** The first free port from one on; null when none of the next twenty is free. */
export async function nextFreePort(from: number, host = '127.0.0.1'): Promise<number | null> {
  for (let port = from; port < Math.min(from + 20, 65_536); port++)
    if (await isFree(port, host)) return port
  return null
}

/** Whether a program could listen on the port. */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}
