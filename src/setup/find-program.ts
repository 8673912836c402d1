import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'

/** The file that a command starts, looked for as a shell does; null when there is none. */
export function findProgram(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): string | null {
  if (/[/\\]/.test(command))
    return isProgram(path.resolve(cwd, command)) ? path.resolve(cwd, command) : null
  const endings = process.platform === 'win32' ? (env.PATHEXT ?? '.EXE;.CMD;.BAT').split(';') : ['']
  for (const folder of (env.PATH ?? '').split(path.delimiter))
    for (const ending of endings) {
      const file = path.resolve(cwd, folder, `${command}${ending}`)
      if (isProgram(file)) return file
    }
  return null
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
