import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** `palimpsest serve` as a process of its own. */
export interface Serving {
  readonly url: string
  readonly child: ChildProcess
  /** All that it printed so far. */
  readonly output: string
  readonly errors: string
  /** Ends it, and gives its exit code; null when it was killed. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export interface ServeOptions {
  readonly command: string
  /** Left out, only the configuration and `args` say where sessions are kept. */
  readonly store?: string
  /** For all providers; left out, only the configuration and `args` say where requests go. */
  readonly upstream?: string
  /** The folder of configuration. */
  readonly home: string
  /** `usual`: the port that it takes by itself. */
  readonly port?: number | 'usual'
  readonly args?: readonly string[]
  /** A command that it is started by, with its first arguments. */
  readonly within?: readonly string[]
}

/** Resolves once it listens. */
export function serve(options: ServeOptions): Promise<Serving> {
  const { command, store, upstream, home, port = 0, args = [], within = [] } = options
  const named = ['anthropic', 'openai', 'gemini'].flatMap((name) =>
    upstream === undefined ? [] : ['--upstream', `${name}=${upstream}`],
  )
  const stored = store === undefined ? [] : ['--store', store]
  const [program = '', ...rest] = [...within, process.execPath, command, 'serve']
  const asked = port === 'usual' ? [] : ['--port', String(port)]
  const child = spawn(program, [...rest, ...asked, ...stored, ...named, ...args], {
    env: { ...process.env, PALIMPSEST_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: home,
  })
  let output = ''
  let errors = ''
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  return new Promise((resolve, reject) => {
    gone.then((code) => reject(new Error(`serve ended with ${code}: ${errors}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      output += `${line}\n`
      const url = /^(?:listening on |\{"url":")(http:[^\s"]+)/.exec(line)?.[1]
      if (url === undefined) return
      resolve({
        url,
        child,
        get output(): string {
          return output
        },
        get errors(): string {
          return errors
        },
        end(signal) {
          child.kill(signal)
          return gone
        },
      })
    })
  })
}
