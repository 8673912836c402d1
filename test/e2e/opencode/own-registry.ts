import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { basename, dirname, join } from 'node:path'

export interface OwnRegistry {
  readonly url: string
  stop(): Promise<void>
}

/** A registry that knows one package: the file that `npm pack` made, with its manifest beside it. Asked for anything else, it has none. */
export async function startRegistry(file: string): Promise<OwnRegistry> {
  const tarball = readFileSync(file)
  const manifest = JSON.parse(readFileSync(join(dirname(file), 'package.json'), 'utf8')) as {
    readonly name: string
    readonly version: string
  }
  const { name, version } = manifest
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  const path = `/${name}/-/${basename(file)}`
  let url = ''
  const server = createServer((request, response) => {
    if (request.url === path) {
      response.end(tarball)
      return
    }
    const isKnown = request.url === `/${name}`
    const dist = { tarball: `${url}${path}`, integrity }
    const versions = { [version]: { ...manifest, dist } }
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify(isKnown ? { name, 'dist-tags': { latest: version }, versions } : {}),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  return {
    url,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
