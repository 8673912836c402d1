import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { FormatName } from '../../src/formats/format.ts'
import { generatedSessions } from './generated.ts'
import { allSettings, formatNames, goldenDigest, shippedSettings } from './play.ts'
import { recordedSessions } from './recorded.ts'

/** Digests by name: of each session over all settings, and of each setting over all sessions. */
export type Digests = Readonly<Record<string, string>>

export type Part = 'generated' | 'recorded'

export const wholeCount = 200

/** The first sessions of the generated ones, under every preset, schedule and format. */
export function generatedDigests(count: number): Digests {
  const table = createTable()
  for (const [index, session] of generatedSessions(count).entries()) {
    for (const setting of allSettings) {
      for (const format of formatNames) {
        const digest = goldenDigest(session, { format, setting, bodies: 'all' })
        table.add(`session ${index}`, `${setting.name} ${format}`, digest)
      }
    }
  }
  return table.digests()
}

/** The recorded sessions in their own formats, under the settings that ship. */
export async function recordedDigests(): Promise<Digests> {
  const table = createTable()
  for await (const session of recordedSessions()) {
    const format: FormatName = session.format
    for (const setting of shippedSettings) {
      const digest = goldenDigest(session, { format, setting, bodies: 'last' })
      table.add(session.name, setting.name, digest)
    }
  }
  return table.digests()
}

function createTable(): {
  add(session: string, setting: string, digest: string): void
  digests(): Digests
} {
  const sums = new Map<string, ReturnType<typeof createHash>>()
  const add = (name: string, digest: string): void => {
    const sum = sums.get(name) ?? createHash('sha256')
    sums.set(name, sum.update(digest))
  }
  return {
    add(session, setting, digest) {
      add(session, digest)
      add(`under ${setting}`, digest)
    },
    digests: () =>
      Object.fromEntries([...sums].map(([name, sum]) => [name, sum.digest('hex').slice(0, 16)])),
  }
}

function fileOf(part: Part): string {
  return `test/golden/${part}.json`
}

/** Digests that are kept with the project, by part. */
export function keptDigests(part: Part): Digests {
  const file = fileOf(part)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Digests) : {}
}

export function keepDigests(part: Part, digests: Digests): void {
  const sorted = Object.entries(digests).sort(([one], [other]) => (one < other ? -1 : 1))
  writeFileSync(fileOf(part), `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}

/** The names under which two tables differ; a name that only `kept` has counts when the run was a whole one. */
export function differingNames(
  found: Digests,
  kept: Digests,
  { isWhole }: { readonly isWhole: boolean },
): readonly string[] {
  const names = Object.keys(isWhole ? { ...kept, ...found } : found)
  // The digest per setting covers all sessions, so a shorter run cannot compare it.
  const compared = isWhole ? names : names.filter((name) => !name.startsWith('under '))
  return compared.filter((name) => found[name] !== kept[name])
}
