import { Worker } from 'node:worker_threads'

/** Moves SQLite's log into its file, beside whatever the process does. */
export interface LogMover {
  /** Never rejects; does nothing while it is under way. */
  move(): Promise<void>
  end(): Promise<void>
}

export interface LogMoverOptions {
  readonly path: string
  /** The module with SQLite's bindings, to be required; null where they are Node's own. Asked once it is needed. */
  driver(): string | null
  /** Does it in this thread, where there can be no other. */
  moveHere(): void
}

/**
 * A thread with a connection of its own: moving the log waits for the disk several times, and neither requests nor answers
 * that are passed on should wait with it. Whoever writes is not held up by it. It is not there before it is needed, and
 * does not keep the process alive.
 */
export function createLogMover({ path, driver, moveHere }: LogMoverOptions): LogMover {
  let worker: Worker | null = null
  let isUsable = !('Bun' in globalThis)
  let moving: Promise<void> | null = null

  function start(): Worker {
    const workerData = { path, driver: driver() }
    const started = new Worker(program, { eval: true, execArgv: [], workerData })
    started.unref()
    // Whatever it is that fails, this thread can do it too.
    started.on('error', () => {
      isUsable = false
    })
    started.on('exit', () => {
      if (worker === started) worker = null
    })
    return started
  }

  async function moveThere(): Promise<void> {
    try {
      worker ??= start()
      const answer = answerOf(worker)
      worker.postMessage('move')
      await answer
    } catch {
      isUsable = false
    }
    if (!isUsable) moveHere()
  }

  return {
    move() {
      if (!isUsable) {
        moveHere()
        return Promise.resolve()
      }
      moving ??= moveThere().finally(() => {
        moving = null
      })
      return moving
    },
    async end() {
      worker?.ref()
      await moving
      if (worker === null) return
      const gone = new Promise<void>((resolve) => worker?.once('exit', () => resolve()))
      worker.postMessage('end')
      await gone
    },
  }
}

function answerOf(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      worker.off('message', done).off('exit', done)
      resolve()
    }
    worker.on('message', done).on('exit', done)
  })
}

/** Plain JavaScript, because a thread starts with a text or a file, and this has to run from any bundle. */
const program = `
const { parentPort, workerData } = require('node:worker_threads')
// See the driver: Node 22 warns that its SQLite is experimental.
process.emitWarning = () => {}
const { DatabaseSync } =
  workerData.driver === null
    ? process.getBuiltinModule('node:sqlite')
    : require(workerData.driver)
const database = new DatabaseSync(workerData.path)
database.exec('pragma synchronous = normal')
const move = database.prepare('pragma wal_checkpoint(passive)')
parentPort.on('message', (message) => {
  if (message === 'end') {
    database.close()
    parentPort.close()
    return
  }
  try {
    move.all()
  } catch {
    // Somebody else does it, or the next commit meets the same error and reports it.
  }
  parentPort.postMessage('moved')
})
`
