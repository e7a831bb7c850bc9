import { plainLine } from '../plain-line.ts'
import { hideKeys } from '../../result/hide-keys.ts'
import type { Endpoint } from './endpoint.ts'

/** What there is to know of a server when something goes wrong with it. */
export interface ServerFacts {
  readonly endpoint: Endpoint
  /** Its name for people. */
  readonly name: string
  readonly model: string
  /** The variable that its key is taken from. */
  readonly keyName: string | undefined
  /** The command that starts it. */
  readonly start: string | undefined
  readonly secrets: readonly string[]
}

/** What a server said, fit for a message. */
export function quoteServer(text: string, { secrets }: Pick<ServerFacts, 'secrets'>): string {
  // Hidden before it is cut: half a key is not known as one.
  return plainLine(hideKeys(text.slice(0, 4000), secrets))
}
