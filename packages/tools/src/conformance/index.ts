// Folder: Tests for implementations of a host.
import { wrongArguments, ask, todo } from './dialogue.ts'
import { bash } from './bash.ts'
import type { Check } from './check.ts'
import { edit, read, write } from './files.ts'
import { glob, grep } from './search.ts'
import { lsp } from './lsp.ts'
import { permissions } from './permissions.ts'
import { web } from './web.ts'

export type { Check } from './check.ts'
export {
  type HostSetup,
  overHost,
  type Feature,
  type SessionOptions,
  type ConformanceTarget,
  type ToolSession,
} from './target.ts'

/** The requirements on every target, by item of the acceptance list. Checks are independent, and none needs the network. */
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
