import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { PalimpsestError } from '../core/words/errors.ts'
import { readRecording } from '../recordings/index.ts'
import type { RecordingFile } from '../recordings/recording.ts'

export interface FoundFile {
  readonly file: string
  readonly bytes: number
}

/** The file itself, or every file below a folder, in a fixed order. */
export async function findFiles(target: string): Promise<readonly FoundFile[]> {
  const info = await stat(target).catch((cause: unknown) => {
    throw new PalimpsestError('unreadable', `${target}: no such file or folder`, { cause })
  })
  if (!info.isDirectory()) return [{ file: target, bytes: info.size }]
  const entries = await readdir(target, { recursive: true, withFileTypes: true })
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const file = path.join(entry.parentPath, entry.name)
        return { file, bytes: (await stat(file)).size }
      }),
  )
  return files.sort((a, b) => (a.file < b.file ? -1 : 1))
}

/** Reads one recording. Errors name the file. */
export async function openRecording(
  file: string,
  onBytes?: (bytes: number) => void,
): Promise<RecordingFile> {
  const info = await stat(file).catch((cause: unknown) => {
    throw new PalimpsestError('unreadable', `${file}: no such file`, { cause })
  })
  if (info.isDirectory()) {
    throw new PalimpsestError('usage', `${file} is a folder: choose one recording in it`)
  }
  try {
    return await readRecording(
      createReadStream(file, { highWaterMark: 1 << 18 }),
      onBytes === undefined ? {} : { onBytes },
    )
  } catch (cause) {
    if (PalimpsestError.is(cause)) {
      throw new PalimpsestError(cause.code, `${file}: ${cause.message}`, { cause })
    }
    // An error of the file system, such as missing permission.
    if (cause instanceof Error && 'code' in cause) {
      throw new PalimpsestError('unreadable', `${file}: cannot be read: ${cause.message}`, {
        cause,
      })
    }
    throw cause
  }
}
