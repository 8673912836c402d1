import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bundledCommand } from '../bundled-program.ts'
import { type RecordingUpstream, startRecordingUpstream } from './recording-upstream.ts'
import { type ServeOptions, type Serving, serve } from './serving.ts'

/** A folder in which `palimpsest serve` runs before a provider that keeps what arrives. */
export interface ServedCommands {
  readonly folder: string
  readonly upstream: RecordingUpstream
  /** Starts it with a store of that name in the folder. */
  start(store: string, more?: Pick<ServeOptions, 'args' | 'within'>): Promise<Serving>
  /** Kills what still runs, and removes the folder. */
  stop(): Promise<void>
}

export async function serveCommands(): Promise<ServedCommands> {
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-served-'))
  const upstream = await startRecordingUpstream()
  const command = await bundledCommand()
  const running: Serving[] = []
  return {
    folder,
    upstream,
    async start(store, more = {}) {
      const place = { store: path.join(folder, store), home: folder, upstream: upstream.url }
      const serving = await serve({ command, ...place, ...more })
      running.push(serving)
      return serving
    },
    async stop() {
      for (const serving of running) await serving.end('SIGKILL')
      await upstream.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
