import { PalimpsestError } from '../core/words/errors.ts'

/** Does work that writes to a place that the user named; what the file system refuses is told as the user's to change. */
export async function writing<Result>(
  place: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    const { syscall, message } = cause as NodeJS.ErrnoException
    if (place === undefined || syscall === undefined) throw cause
    const reason = `cannot write to ${place}: ${message}; name another place`
    throw new PalimpsestError('usage', reason, { cause })
  }
}
