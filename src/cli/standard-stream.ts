import { writeSync } from 'node:fs'
import { Writable } from 'node:stream'

/**
 * Node discards what is written to a descriptor whose kind it cannot find out. That happens in sandboxes that forbid every
 * call on sockets, such as Codex's, when the output is a socket. Writing to the descriptor itself still works there.
 */
export function standardStream(stream: Writable, descriptor: 1 | 2): Writable {
  if ('_type' in stream) return stream
  return new Writable({
    decodeStrings: true,
    write(chunk: Uint8Array, _encoding, done) {
      try {
        for (let written = 0; written < chunk.length; )
          written += writeSomething(descriptor, chunk.subarray(written))
        done()
      } catch (error) {
        // A reader may close the pipe early (`| head`); that is not an error.
        if ((error as NodeJS.ErrnoException).code === 'EPIPE') done()
        else done(error as Error)
      }
    },
  })
}

/** Waits while the reader is slow and the descriptor does not block. */
function writeSomething(descriptor: number, bytes: Uint8Array): number {
  for (;;) {
    try {
      return writeSync(descriptor, bytes)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}
