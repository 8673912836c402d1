import { hostname, networkInterfaces } from 'node:os'

/** The address of a gateway as people can use it: one that listens everywhere is reached by a name or a real address. */
export function peopleUrl(host: string, port: number, names: readonly string[] = []): string {
  const [name] = names
  const isAnywhere = /^(0\.0\.0\.0|::|\[::\])$/.test(host)
  if (isAnywhere && name !== undefined)
    return `http://${/:\d+$/.test(name) ? name : `${name}:${port}`}`
  const shown = isAnywhere ? ownAddress() : host
  const isAddress6 = shown.includes(':')
  return `http://${isAddress6 ? `[${shown.replace(/^\[|\]$/g, '')}]` : shown}:${port}`
}

/** This machine's address for others; its name where it has no network. */
function ownAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const others = addresses.filter(({ internal }) => !internal)
  return others.find(({ family }) => family === 'IPv4')?.address ?? hostname()
}
