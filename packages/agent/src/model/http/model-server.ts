import type { ModelChunk, ModelRequest } from '../model.ts'
import type { ModelError } from '../model-error.ts'
import { type TimedReply, startReply } from '../timed-reply.ts'
import type { Endpoint } from './endpoint.ts'
import { JsonReader } from './json-reader.ts'
import {
  explainReplyError,
  readRetryAfter,
  type ServerFacts,
  statusError,
  unreachableError,
} from './server-error.ts'

/** The HTTP connection to a model server, independent of its API. */
export interface ConnectionOptions {
  /** The API key. */
  readonly key?: string | undefined
  /** The environment variable that contains the key, for error messages. */
  readonly keyName?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The command for starting the server, for error messages. */
  readonly start?: string | undefined
  readonly fetch?: typeof fetch | undefined
  /** The maximum time without output, in milliseconds. */
  readonly idleTimeout?: number | undefined
  /** The maximum total time for a reply, in milliseconds. */
  readonly timeout?: number | undefined
  /** The maximum size of a response, in bytes. */
  readonly maxBytes?: number | undefined
}

/** Separates the connection options from the model options. */
export function splitOptions<Options extends ConnectionOptions>(
  options: Options,
): {
  readonly connection: ConnectionOptions
  readonly others: Omit<Options, keyof ConnectionOptions>
} {
  const { key, keyName, headers, start, fetch, idleTimeout, timeout, maxBytes, ...others } = options
  return {
    connection: { key, keyName, headers, start, fetch, idleTimeout, timeout, maxBytes },
    others,
  }
}

/** A model server. Contains the code that all connections share. */
export interface ModelServer {
  /** Sends a request. Throws a ModelError if the connection fails. */
  send(path: string, init: Pick<RequestInit, 'method' | 'body' | 'signal'>): Promise<Response>
  /** Reads the JSON of a response within the time limits of its reply. */
  read(response: Response, timed: TimedReply, json?: 'lines' | 'whole'): JsonReader
  /** The error for a failed response. */
  failure(response: Response, message: string, models?: readonly string[]): ModelError
  /** Streams a reply within its time limits. Failures become ModelErrors. */
  reply(
    request: ModelRequest,
    read: (timed: TimedReply) => AsyncGenerator<ModelChunk, void, void>,
  ): AsyncGenerator<ModelChunk, void, void>
}

/** Describes a server without connecting to it yet. */
export function modelServer(
  { endpoint, name, model }: { readonly endpoint: Endpoint } & Pick<ServerFacts, 'name' | 'model'>,
  options: ConnectionOptions,
): ModelServer {
  const { key, keyName, start, headers = {}, fetch = globalThis.fetch } = options
  const { maxBytes = 64 << 20 } = options
  const { idleTimeout, timeout } = options
  const requestHeaders = headersOf(key, headers)
  const secrets = [key?.trim() ?? '', ...Object.values(headers)].filter((text) => text !== '')
  const facts: ServerFacts = { endpoint, name, model, keyName, start, secrets }
  return {
    async send(path, init) {
      try {
        // Redirects are not followed, because the key is meant for this server only.
        return await fetch(endpoint.urlOf(path), {
          ...init,
          headers: requestHeaders,
          redirect: 'manual',
        })
      } catch (error) {
        // The connection failed, or the request was aborted.
        throw unreachableError(error, facts)
      }
    },
    read: (response, { waitFor }, json) => new JsonReader(response, { maxBytes, waitFor, json }),
    failure({ status, headers: received }, message, models) {
      const retryAfter = readRetryAfter(received)
      const location = received.get('location') ?? undefined
      return statusError({ status, message, retryAfter, location, models }, facts)
    },
    async *reply(request, read) {
      const timed = startReply(request, { idleTimeout, timeout, name })
      try {
        timed.throwIfAborted()
        yield* read(timed)
      } catch (error) {
        // Report the reason of an abort instead of the failure it caused.
        timed.throwIfAborted()
        throw explainReplyError(error, facts, maxBytes)
      } finally {
        timed.end()
      }
    },
  }
}

function headersOf(key: string | undefined, more: Readonly<Record<string, string>>): Headers {
  const bearer = key?.trim()
  try {
    return new Headers({
      'content-type': 'application/json',
      accept: 'text/event-stream, application/x-ndjson, application/json',
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...more,
    })
  } catch {
    // Replace the original error, because it would contain the value.
    throw new TypeError('the key or a header contains an invalid character: copy the key again')
  }
}
