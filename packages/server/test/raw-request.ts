import { connect, type Socket } from 'node:net'

/** A connection that sends exactly the given text and records the response. */
export interface RawConnection {
  readonly socket: Socket
  /** Returns all data received so far. */
  readonly text: () => string
  /** Resolves with all received data, once the server has closed the connection. */
  readonly closed: Promise<string>
  /** Resolves once this text was received. */
  received(part: string): Promise<string>
}

/** Connects to a port on this machine and sends a request. */
export function rawConnection(port: number, sent: string, host = '127.0.0.1'): RawConnection {
  const socket = connect(port, host)
  let text = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => (text += chunk))
  // A reset also ends the connection.
  socket.on('error', () => {})
  socket.write(sent)
  return {
    socket,
    text: () => text,
    closed: new Promise((resolve) => socket.once('close', () => resolve(text))),
    received: (part) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (text.includes(part)) resolve(text)
          else if (socket.destroyed) reject(new Error(`Closed without ${part}: ${text}`))
        }
        socket.on('data', look)
        socket.once('close', look)
        look()
      }),
  }
}

/** Sends a request with exactly these lines, and returns the whole response. */
export async function rawRequest(
  port: number,
  lines: readonly string[],
  body = '',
): Promise<string> {
  const head = [...lines, 'Connection: close'].join('\r\n')
  const { closed, socket } = rawConnection(port, `${head}\r\n\r\n${body}`)
  try {
    return await closed
  } finally {
    socket.destroy()
  }
}
