import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bundledCommand } from '../bundled-program.ts'

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A user with a home of their own, in which commands are run as processes. */
export interface TestUser {
  readonly home: string
  /** A folder in front of the search path. */
  readonly bin: string
  run(args: readonly string[], options?: RunOptions): Promise<Ended>
  start(args: readonly string[], options?: RunOptions): Promise<ChildProcess>
  /** Writes a file below the home folder, and returns its path. */
  file(name: string, text: string): string
  /** Writes a program into `bin`. */
  program(name: string, script: string): void
  remove(): void
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** A command that runs the command, such as `setpriv`. */
  readonly within?: readonly string[]
}

export function createUser(): TestUser {
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-user-'))
  const home = path.join(folder, 'a home')
  const bin = path.join(folder, 'bin')
  for (const each of [home, bin]) mkdirSync(each)
  const start = async (
    args: readonly string[],
    { env = {}, cwd = home, within = [] }: RunOptions = {},
  ): Promise<ChildProcess> => {
    const [program = '', ...rest] = [...within, process.execPath, await bundledCommand(), ...args]
    return spawn(program, rest, {
      cwd,
      env: {
        PATH: [bin, path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter),
        HOME: home,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }
  return {
    home,
    bin,
    start,
    async run(args, options) {
      const child = await start(args, options)
      let [out, err] = ['', '']
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        out += text
      })
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        err += text
      })
      return new Promise((resolve, reject) => {
        child.once('error', reject)
        child.once('close', (code) => resolve({ code, out, err }))
      })
    },
    file(name, text) {
      const file = path.join(home, name)
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, text)
      return file
    },
    program(name, script) {
      writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
