// A provider that answers immediately with one event, and with more for as long as `x-stream-ms` says. Prints its port.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const event =
  'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":9,"output_tokens":1}}}\n\n'

const delta =
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"and so on "}}\n\n'
const paceMs = 250

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const streamMs = Number(request.headers['x-stream-ms'] ?? 0)
    if (streamMs === 0) return response.end(event)
    response.write(event)
    const more = setInterval(() => response.write(delta), paceMs)
    setTimeout(() => {
      clearInterval(more)
      response.end()
    }, streamMs)
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
