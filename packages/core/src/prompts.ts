import { indexOfBuiltIn } from './built-in.ts'
import { prompts } from './protocol-prompts.ts'
import type { Prompt, Protocol } from './protocol.ts'

/** A protocol's own prompt, or that of the built-in protocol it is or was copied from. */
export function promptOf(protocol: Protocol): Prompt | undefined {
  return protocol.prompt ?? prompts[indexOfBuiltIn(protocol)]
}
