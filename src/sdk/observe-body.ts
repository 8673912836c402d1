export interface BodyObserver {
  take(chunk: Uint8Array): void
  /** Called once, when the body has ended or was given up. `error` is why it ended early, or null. */
  end(error: unknown): void
}

/** The same bytes, read at the caller's own pace, with an observer that sees each chunk as it passes. */
export function observeBody(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  { take, end }: BodyObserver,
): ReadableStream<Uint8Array<ArrayBuffer>> | null {
  if (body === null) {
    end(null)
    return null
  }
  const reader = body.getReader()
  let isOver = false
  const finish = (error: unknown): void => {
    if (isOver) return
    isOver = true
    end(error)
  }
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) {
          finish(null)
          controller.close()
          return
        }
        take(value)
        controller.enqueue(value)
      } catch (error) {
        finish(error)
        controller.error(error)
      }
    },
    async cancel(reason) {
      finish('the client stopped reading')
      await reader.cancel(reason)
    },
  })
}
