import type { RunEvent } from '@toolglot/agent'
import type { Client, EventsOptions } from '@toolglot/server/client'

/** A connection of the fake client. */
export interface FakeConnection {
  readonly run: string
  readonly options: EventsOptions
  send(event: RunEvent): void
  fail(error: Error): void
  /** The number of unread events. */
  readonly unread: number
  readonly isClosed: boolean
}

/** A client without a server. A test sends the events and inspects the requests. */
export interface FakeClient {
  readonly client: Client
  readonly connections: FakeConnection[]
  readonly requests: { readonly name: string; readonly input: unknown }[]
}

/** Creates a client without a server. Every request gets the response `answer`. */
export function fakeClient(answer: unknown = {}): FakeClient {
  const connections: FakeConnection[] = []
  const requests: { name: string; input: unknown }[] = []
  const client = {
    request: async (name: string, input: unknown) => {
      requests.push({ name, input })
      return answer
    },
    async *events(run: string, options: EventsOptions = {}): AsyncGenerator<RunEvent, void> {
      const queue: (RunEvent | Error)[] = []
      let wake = (): void => {}
      let isClosed = false
      const add = (item: RunEvent | Error): void => {
        queue.push(item)
        wake()
      }
      options.signal?.addEventListener('abort', () => wake())
      connections.push({
        run,
        options,
        send: add,
        fail: add,
        get unread() {
          return queue.length
        },
        get isClosed() {
          return isClosed
        },
      })
      try {
        while (!options.signal?.aborted) {
          const item = queue.shift()
          if (item instanceof Error) throw item
          if (item) yield item
          else await new Promise<void>((resolve) => (wake = resolve))
        }
      } finally {
        isClosed = true
      }
    },
  }
  return { client: client as unknown as Client, connections, requests }
}

/** Waits until all sent events are read. */
export async function allRead(connection: FakeConnection): Promise<void> {
  while (connection.unread > 0) await settled()
  await settled()
}

/** Lets pending callbacks run. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => void setTimeout(resolve))
}
