import { rmdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { textOf } from '../setup/agent.ts'
import { restoreFile, undone } from '../setup/changed-files.ts'
import { hookOwner } from '../setup/claude-hook.ts'
import type { ServiceManager } from '../setup/service.ts'
import type { ChangedFile, SetupRecord } from '../setup/setup-record.ts'
import { writeRecord } from '../setup/setup-record.ts'

/** A file with the text that is restored; null when the file is deleted. */
export interface UndoneFile extends ChangedFile {
  readonly current: string
  readonly restored: string | null
}

/** The files of these agents, all when none is named; with the last agent, our own configuration and the service go too. */
export function planUndo(record: SetupRecord, ids: readonly string[]): readonly UndoneFile[] {
  // The hook of Claude Code needs no gateway.
  const needsGateway = ({ of }: ChangedFile): boolean => of !== hookOwner
  const stays = record.files.filter(
    (each) => !isOwn(each) && ids.length > 0 && !ids.includes(each.of),
  )
  const goes = record.files.filter((each) =>
    isOwn(each) ? !stays.some(needsGateway) : !stays.includes(each),
  )
  return goes.map((each) => {
    const current = textOf(each.file)
    return { ...each, current, restored: undone(each, current) }
  })
}

interface UndoOptions {
  readonly home: string
  /** The user's home folder. */
  readonly userHome: string
  readonly service: ServiceManager | null
}

/**
 * Restores the agents before the gateway stops, so that none is left with an address where nothing answers. With a file
 * that cannot be restored, the gateway stays and so does the record of what is left to undo.
 *
 * @throws PalimpsestError with code `configuration`, naming the first such file.
 */
export function undoFiles(
  record: SetupRecord,
  files: readonly UndoneFile[],
  { home, userHome, service }: UndoOptions,
): void {
  const done = new Set<string>()
  let failure: unknown = null
  const restore = ({ file, restored }: UndoneFile): void => {
    try {
      restoreFile(file, restored, userHome)
      done.add(file)
    } catch (error) {
      failure ??= error
    }
  }
  files.filter((each) => !isOwn(each)).forEach(restore)
  if (failure === null) {
    const own = files.filter(isOwn)
    if (own.some(({ of }) => of === 'service')) service?.stop()
    own.forEach(restore)
  }
  const left = record.files.filter(({ file }) => !done.has(file))
  const url = left.every(({ of }) => of === hookOwner) ? null : record.url
  writeRecord(home, left.length === 0 ? null : { ...record, url, files: left })
  if (failure !== null) throw failure
  if (left.length > 0) return
  rmSync(path.join(home, 'backups'), { recursive: true, force: true })
  try {
    rmdirSync(home)
  } catch {
    // Sessions or a configuration are kept in it.
  }
}

/** A file of the gateway, and of no agent. */
function isOwn({ of }: ChangedFile): boolean {
  return of === 'palimpsest' || of === 'service'
}
