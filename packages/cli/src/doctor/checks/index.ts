import type { Check } from '../check.ts'
import { git } from './git.ts'
import { languageServers } from './language-servers.ts'
import { ownCode } from './own-code.ts'
import { path } from './path.ts'
import { model } from './model.ts'
import { ripgrep } from './ripgrep.ts'
import { sandbox } from './sandbox.ts'
import { terminal } from './terminal.ts'
import { server } from './server.ts'
import { settings } from './settings.ts'
import { state } from './state.ts'
import { node } from './node.ts'
import { temporaryFiles } from './temporary-files.ts'
import { trust } from './trust.ts'
import { webSearch } from './web-search.ts'

/** All checks, in the order in which they are printed. */
export const checks: readonly Check[] = [
  node,
  model,
  ripgrep,
  sandbox,
  path,
  languageServers,
  git,
  webSearch,
  settings,
  trust,
  ownCode,
  state,
  temporaryFiles,
  server,
  terminal,
]
