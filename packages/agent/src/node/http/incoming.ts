import type { IncomingMessage } from 'node:http'

/** Every header of a message, also those that were sent twice. */
export function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at]!, rawHeaders[at + 1]!)
  }
  return headers
}

/** What to do with a message whose body is read. */
export interface BodyOptions {
  /** Called when somebody begins to read. */
  readonly onRead?: () => void
  /** Called when nobody reads any further. */
  readonly onCancel: () => void
  /** What went wrong if the body does not end as it should. */
  readonly broken: string
}

/** The body of a message, read only as far as somebody asks for it: what is not read waits at the sender. */
export function bodyOf(
  message: IncomingMessage,
  { onRead, onCancel, broken }: BodyOptions,
): ReadableStream<Uint8Array> {
  let isRead = false
  let isEnded = false
  let wake: (() => void) | undefined
  const continues = (): void => wake?.()
  const ends = (): void => {
    isEnded = true
    wake?.()
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!isRead) {
          isRead = true
          onRead?.()
          message.on('readable', continues)
          for (const event of ['end', 'error', 'close']) message.on(event, ends)
        }
        for (;;) {
          // Everything that has arrived, as one piece.
          const piece = message.read() as Buffer | null
          if (piece) return controller.enqueue(piece)
          if (isEnded) break
          await new Promise<void>((resolve) => (wake = resolve))
        }
        if (message.complete) controller.close()
        else controller.error(new Error(broken))
      },
      cancel() {
        message.off('readable', continues)
        ends()
        onCancel()
      },
    },
    { highWaterMark: 0 },
  )
}
