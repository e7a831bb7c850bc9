import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * A transaction pooler with the features that tests need. A client has a connection to Postgres
 * only during a transaction, and possibly another one the next time. Notices are dropped. It uses
 * the Postgres protocol without passwords.
 */
export async function startPooler(url: string, size = 3): Promise<string> {
  const { hostname, port } = new URL(url)
  const idle: Backend[] = []
  const waiting: ((backend: Backend) => void)[] = []
  const all: (Backend | Socket)[] = []
  const free = (backend: Backend): void => {
    const next = waiting.shift()
    if (next) next(backend)
    else idle.push(backend)
  }
  const take = (): Promise<Backend> => {
    const found = idle.pop()
    return found ? Promise.resolve(found) : new Promise((resolve) => waiting.push(resolve))
  }

  for (let count = 0; count < size; count++) {
    const socket = connect(Number(port), hostname)
    const backend = new Backend(socket)
    all.push(backend)
    await new Promise<void>((resolve) => {
      backend.onReady = () => resolve()
      socket.write(startup(new URL(url)))
    })
    free(backend)
  }

  const server = createServer((client) => {
    all.push(client)
    client.on('error', () => {})
    let isKnown = false
    let received = Buffer.alloc(0)
    let working = Promise.resolve()
    let backend: Backend | undefined
    client.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      if (!isKnown) {
        if (received.length < 4 || received.length < received.readInt32BE(0)) return
        received = received.subarray(received.readInt32BE(0))
        isKnown = true
        client.write(GREETING)
      }
      const messages = received
      received = Buffer.alloc(0)
      if (messages.length === 0 || messages[0] === TERMINATE) return
      working = working.then(async () => {
        backend ??= await take()
        const used = backend
        used.client = client
        used.onReady = (isInTransaction) => {
          if (isInTransaction) return
          backend = undefined
          free(used)
        }
        used.socket.write(messages)
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const each of all) (each instanceof Backend ? each.socket : each).destroy()
  })
  const pooled = new URL(url)
  pooled.port = String((server.address() as { port: number }).port)
  return pooled.href
}

/** A connection to Postgres. */
class Backend {
  readonly socket: Socket
  client: Socket | undefined
  /** Called when it is ready for the next query. */
  onReady: (isInTransaction: boolean) => void = () => {}
  #received = Buffer.alloc(0)

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('error', () => {})
    socket.on('data', (chunk) => this.#read(chunk))
  }

  #read(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk])
    while (this.#received.length >= 5) {
      const length = 1 + this.#received.readInt32BE(1)
      if (this.#received.length < length) return
      const message = this.#received.subarray(0, length)
      this.#received = this.#received.subarray(length)
      if (message[0] !== NOTIFICATION) this.client?.write(message)
      if (message[0] === READY) this.onReady(message[5] !== IDLE)
    }
  }
}

const [TERMINATE, NOTIFICATION, READY, IDLE] = ['X', 'A', 'Z', 'I'].map((letter) =>
  letter.charCodeAt(0),
)

function startup({ username, pathname }: URL): Buffer {
  const text = `user\0${username}\0database\0${pathname.slice(1)}\0\0`
  const message = Buffer.alloc(8 + Buffer.byteLength(text))
  message.writeInt32BE(message.length, 0)
  message.writeInt32BE(196_608, 4)
  message.write(text, 8)
  return message
}

/** Tells the client that it is logged in and may send queries. */
const GREETING = Buffer.from([
  ...[0x52, 0, 0, 0, 8, 0, 0, 0, 0],
  ...[0x4b, 0, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0, 1],
  ...[0x5a, 0, 0, 0, 5, 0x49],
])
