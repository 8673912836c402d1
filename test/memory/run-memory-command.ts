import { PassThrough, Readable } from 'node:stream'
import { Command } from 'commander'
import pc from 'picocolors'
import { memoryCommand } from '../../src/cli/memory-command.ts'

/** Where `palimpsest memory` runs, and the time that it reads. */
export interface MemoryCommandPlace {
  readonly folder: string
  now(): number
}

export interface MemoryCommandRun {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** `palimpsest memory …` in this process, with a folder as its home and as where it is called. */
export async function runMemoryCommand(
  { folder, now }: MemoryCommandPlace,
  args: readonly string[],
  input = '',
): Promise<MemoryCommandRun> {
  const [out, err] = [largeStream(), largeStream()]
  let code = 0
  const finish = (given: number): void => {
    code = given
  }
  const terminal = {
    out,
    err,
    colors: pc.createColors(false),
    columns: 100,
    watched: false,
    cwd: folder,
    home: folder,
    now,
  }
  const command = memoryCommand(terminal, finish, Readable.from([input]))
  await new Command().addCommand(command).parseAsync(['memory', ...args], { from: 'user' })
  return { code, out: String(out.read() ?? ''), err: String(err.read() ?? '') }
}

/** Takes all that is written before anybody reads. */
const largeStream = (): PassThrough => new PassThrough({ highWaterMark: 1 << 24 })
