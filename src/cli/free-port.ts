import { createServer } from 'node:net'

/** The first free port from one on; null when none of the next twenty is free. */
export async function nextFreePort(from: number): Promise<number | null> {
  for (let port = from; port < Math.min(from + 20, 65_536); port++)
    if (await isFree(port)) return port
  return null
}

/** Whether a program could listen on the port. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
