import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Extent, StoreLocation } from '../../src/store/index.ts'

export interface Acknowledged extends Extent {
  readonly id: string
}

export interface KillOptions {
  readonly program: string
  /** One writer for each: the runtime that runs it. */
  readonly binaries: readonly string[]
  readonly location: StoreLocation
  readonly kills: number
  /** From 0 to 1, the same in every run. */
  readonly random: () => number
}

export interface KillOutcome {
  /** The most that was acknowledged of each session. */
  readonly acknowledged: ReadonlyMap<string, Acknowledged>
  readonly acknowledgements: number
  /** What writers said on standard error; each was killed, so that this is a fault of its own. */
  readonly complaints: string
}

/** Lets all writers write at once and kills one after the other at a random moment, until that was done often enough. */
export async function killWriters(options: KillOptions): Promise<KillOutcome> {
  const { program, binaries, location, random } = options
  const acknowledged = new Map<string, Acknowledged>()
  let acknowledgements = 0
  let complaints = ''
  let kills = 0

  /** Writes until it is killed; resolves when it is gone and all that it said was heard. */
  async function oneLife(binary: string, name: string): Promise<void> {
    const child: ChildProcess = spawn(binary, [program, JSON.stringify(location), name], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaints += text
    })
    const lines = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> })
    // One in five dies while it starts, opens and reads; the others at any moment of their first turns.
    const patience = random() < 0.2 ? 0 : 1 + Math.floor(random() * 6)
    const delayMs = random() * (patience === 0 ? 200 : 15)
    let heard = 0
    const kill = (): void => void setTimeout(() => child.kill('SIGKILL'), delayMs)
    if (patience === 0) kill()
    lines.on('line', (line) => {
      const said = JSON.parse(line) as Acknowledged
      acknowledgements++
      const before = acknowledged.get(said.id)
      if (before === undefined || before.messages < said.messages) acknowledged.set(said.id, said)
      if (++heard === patience) kill()
    })
    await gone
    kills++
  }

  await Promise.all(
    binaries.map(async (binary, at) => {
      while (kills < options.kills && complaints === '') await oneLife(binary, String(at))
    }),
  )
  return { acknowledged, acknowledgements, complaints }
}
