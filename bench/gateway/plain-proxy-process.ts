// A proxy that reads each body and forwards it unchanged. Prints its port.
import http from 'node:http'
import type { AddressInfo } from 'node:net'

const upstream = new URL(process.argv[2] as string)
const agent = new http.Agent({ keepAlive: true })

const server = http.createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const outgoing = http.request(
      {
        hostname: upstream.hostname,
        port: upstream.port,
        method: request.method ?? 'POST',
        path: request.url ?? '/',
        headers: { ...request.headers, host: upstream.host },
        agent,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    outgoing.on('error', () => response.destroy())
    outgoing.end(Buffer.concat(parts))
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
