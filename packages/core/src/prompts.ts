import { indexOfBuiltIn } from './built-in.ts'
import { prompts } from './protocol-prompts.ts'
import type { Prompt, Protocol } from './protocol.ts'

/** A protocol's prompt: its own, or that of the built-in protocol that it is, or was made from. */
export function promptOf(protocol: Protocol): Prompt | undefined {
  return protocol.prompt ?? prompts[indexOfBuiltIn(protocol)]
}
