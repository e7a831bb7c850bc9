import { type Protocol, protocols } from '@toolglot/core'
import { args, name, wire } from '@toolglot/core/draw'

const known = new WeakMap<Protocol, Protocol>()

/** A protocol in which nothing is a call: only reasoning is read, and everything else is text. */
export function withoutCalls(protocol: Protocol = protocols.hermes): Protocol {
  let found = known.get(protocol)
  if (!found) {
    const { section: _, variants: __, general: ___, ...others } = protocol
    known.set(protocol, (found = { ...others, call: NEVER }))
  }
  return found
}

/** No model writes this. */
const NEVER = wire`\0toolglot\0${name}\0${args}`
