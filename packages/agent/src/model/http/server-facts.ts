import { plainLine } from '../plain-line.ts'
import { hideKeys } from '../../result/hide-keys.ts'
import type { Endpoint } from './endpoint.ts'

/** Facts about a server for error messages. */
export interface ServerFacts {
  readonly endpoint: Endpoint
  /** Its name, for people. */
  readonly name: string
  readonly model: string
  /** The environment variable that its key came from. */
  readonly keyName: string | undefined
  /** The command that starts it. */
  readonly start: string | undefined
  /** Keys and header values that must not appear in messages. */
  readonly secrets: readonly string[]
}

/** Text from a server, made safe for a message. */
export function quoteServer(text: string, { secrets }: Pick<ServerFacts, 'secrets'>): string {
  // Keys are hidden before the text is cut: half a key is not recognized.
  return plainLine(hideKeys(text.slice(0, 4000), secrets))
}
