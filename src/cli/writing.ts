import { PalimpsestError } from '../core/words/errors.ts'

/** Runs work that writes to a path that the user named, and reports file system errors as usage errors. */
export async function writing<Result>(
  place: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    const { syscall, message } = cause as NodeJS.ErrnoException
    if (place === undefined || syscall === undefined) throw cause
    const reason = `cannot write to ${place}: ${message}; choose another path`
    throw new PalimpsestError('usage', reason, { cause })
  }
}
