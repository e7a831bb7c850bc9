import type { Prompt, Protocol } from './protocol.ts'
import * as all from './protocols/index.ts'
import * as theirs from './protocol-prompts.ts'

const prompts: Readonly<Record<keyof typeof all, Prompt>> = theirs

/** The built-in protocols with their prompts. Only code that prints prompts imports this. */
const known = Object.entries(all).map(([name, protocol]): readonly [Protocol, Prompt] => [
  protocol,
  prompts[name as keyof typeof all],
])

/**
 * A protocol's prompt: its own, or that of the built-in protocol that it is, or was made from. Which one that is, what they share
 * says: `{ ...hermes, id: 'mine' }` has the pictures of `hermes`.
 */
export function promptOf(protocol: Protocol): Prompt | undefined {
  if (protocol.prompt) return protocol.prompt
  const itself = known.find(([each]) => each === protocol)
  if (itself) return itself[1]
  const parts = new Set<unknown>(Object.values(protocol))
  const shares = known.map(([each]) => sharedWith(each, parts))
  const most = Math.max(...shares)
  return most > 0 ? known[shares.indexOf(most)]![1] : undefined
}

/** How many pictures and lists of a protocol are among these parts. */
function sharedWith(protocol: Protocol, parts: ReadonlySet<unknown>): number {
  return Object.values(protocol).filter((part) => typeof part === 'object' && parts.has(part))
    .length
}
