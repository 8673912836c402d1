import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { openLog } from '../../src/memory/log/open-log.ts'
import { Memory } from '../../src/memory/memory.ts'
import { checkState } from '../../src/memory/state/check.ts'
import type { StoreLocation } from '../../src/store/location.ts'
import type { Measure } from './measure.ts'

const writers = 8
/** Writers that cannot write at all would be started again and again. */
const mostFailed = 20

/** The writing process: adds items and prints the id of each once it is durable. */
export async function writeUntilKilled(target: string, name: string): Promise<void> {
  let count = 0
  const memory = new Memory({
    log: await openLog(locationOf(target)),
    now: Date.now,
    newId: (kind) => `${kind}_${name}_${++count}`,
  })
  for (;;) {
    const { id } = memory.add({
      kind: 'fact',
      text: `${name} said ${count}`,
      attribute: `note ${count % 100} of ${name}`,
      value: String(count),
    })
    await memory.save()
    await new Promise<void>((resolve) => {
      process.stdout.write(`${id}\n`, () => setImmediate(resolve))
    })
  }
}

function locationOf(target: string): StoreLocation {
  return /^postgres/.test(target)
    ? { kind: 'postgres', url: target }
    : { kind: 'sqlite', path: target }
}

export interface DurabilityOptions {
  readonly writes: number
  readonly kills: number
  /** A PostgreSQL; a file of SQLite when left out. */
  readonly url?: string
}

/** Several processes write to one file at once and are killed at random: is everything that was acknowledged there? */
export async function measureDurability(
  program: string,
  { writes, kills, url }: DurabilityOptions,
): Promise<readonly Measure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-bench-kills-'))
  const target = url ?? path.join(folder, 'memory.db')
  const acknowledged = new Set<string>()
  const running = new Set<ChildProcess>()
  let started = 0
  let killed = 0
  let failed = 0
  let nextKill = 0
  const enough = (): boolean => acknowledged.size >= writes && killed >= kills
  try {
    await new Promise<void>((done, refuse) => {
      const launch = (): void => {
        const child = spawn(process.execPath, [program, '--write', target, `w${++started}`], {
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        running.add(child)
        createInterface({ input: child.stdout! }).on('line', (line) => acknowledged.add(line))
        child.on('close', (_code, signal) => {
          running.delete(child)
          if (signal !== 'SIGKILL') failed++
          if (failed > mostFailed) {
            clearInterval(tick)
            refuse(new Error(`${failed} writers ended by themselves; their errors are above`))
            return
          }
          if (!enough()) launch()
          else if (running.size === 0) done()
        })
      }
      for (let writer = 0; writer < writers; writer++) launch()
      const tick = setInterval(() => {
        const children = [...running]
        if (enough()) {
          clearInterval(tick)
          for (const child of children) child.kill('SIGKILL')
          return
        }
        // Killed after a number of writes, because on a slow machine a timer would kill it before its first write.
        if (acknowledged.size < nextKill) return
        nextKill = acknowledged.size + (0.5 + Math.random() / 2) * (writes / kills)
        const victim = children[Math.floor(Math.random() * children.length)]
        if (victim?.kill('SIGKILL')) killed++
      }, 5)
    })
    const log = await openLog(locationOf(target))
    const memory = new Memory({ log, now: Date.now, newId: () => 'none' })
    const kept = [...acknowledged].filter((id) => memory.state.items.has(id)).length
    const violations = checkState(memory.state, Date.now()).length
    memory.close()
    return [
      {
        name: `acknowledged writes kept: ${writers} processes, ${killed} SIGKILLs, ${url === undefined ? 'SQLite' : 'PostgreSQL'}`,
        value: [
          `${kept} of ${acknowledged.size}`,
          ...(violations > 0 ? [`${violations} violations`] : []),
          ...(failed > 0 ? [`${failed} writers failed`] : []),
        ].join(', '),
        goal: 'all',
        reached: kept === acknowledged.size && violations === 0 && failed === 0,
      },
    ]
  } finally {
    for (const child of running) child.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  }
}
