import { type BuiltIn, builtInOf } from './built-in.ts'
import type { Prompt, Protocol } from './protocol.ts'
import * as all from './protocol-prompts.ts'

const prompts: Readonly<Record<BuiltIn, Prompt>> = all

/** A protocol's prompt: its own, or that of the built-in protocol that it is, or was made from. */
export function promptOf(protocol: Protocol): Prompt | undefined {
  if (protocol.prompt) return protocol.prompt
  const name = builtInOf(protocol)
  return name && prompts[name]
}
