import type { Check } from '../check.ts'
import { git, languageServers, ripgrep, node } from './programs.ts'
import { ownCode, settings, trust } from './folder.ts'
import { path, terminal, temporaryFiles } from './environment.ts'
import { model, server, webSearch } from './services.ts'
import { sandbox } from './sandbox.ts'
import { state } from './state.ts'

/** All checks, in the order of the output. */
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
