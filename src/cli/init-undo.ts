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
  const isOwn = ({ of }: ChangedFile): boolean => of === 'palimpsest' || of === 'service'
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

/** Restores the agents before the gateway stops, so that none is left with an address where nothing answers. */
export function undoFiles(
  record: SetupRecord,
  files: readonly UndoneFile[],
  { home, userHome, service }: UndoOptions,
): void {
  const isService = ({ of }: ChangedFile): boolean => of === 'service'
  for (const { file, restored } of files.filter((each) => !isService(each)))
    restoreFile(file, restored, userHome)
  const unit = files.find(isService)
  if (unit !== undefined) {
    service?.stop()
    restoreFile(unit.file, unit.restored, userHome)
  }
  const left = record.files.filter((each) => !files.some(({ file }) => file === each.file))
  const url = left.every(({ of }) => of === hookOwner) ? null : record.url
  writeRecord(home, left.length === 0 ? null : { ...record, url, files: left })
  if (left.length > 0) return
  rmSync(path.join(home, 'backups'), { recursive: true, force: true })
  try {
    rmdirSync(home)
  } catch {
    // Sessions or a configuration are kept in it.
  }
}
