import { wrongArguments } from './arguments.ts'
import { ask } from './ask.ts'
import { bash } from './bash.ts'
import type { Check } from './check.ts'
import { edit } from './edit.ts'
import { glob } from './glob.ts'
import { grep } from './grep.ts'
import { lsp } from './lsp.ts'
import { permissions } from './permissions.ts'
import { read } from './read.ts'
import { todo } from './todo.ts'
import { web } from './web.ts'
import { write } from './write.ts'

export type { Check } from './check.ts'
export { type HostSetup, overHost } from './over-host.ts'
export type { Feature, SessionOptions, ConformanceTarget, ToolSession } from './target.ts'

/** What every target must do, by item of the acceptance list. Checks are independent, and none needs the network. */
export const conformance: readonly Check[] = [
  ...read,
  ...write,
  ...edit,
  ...glob,
  ...grep,
  ...bash,
  ...ask,
  ...permissions,
  ...wrongArguments,
  ...todo,
  ...lsp,
  ...web,
]
