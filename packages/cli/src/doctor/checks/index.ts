import type { Check } from '../check.ts'
import { git } from './git.ts'
import { languageServers } from './language-servers.ts'
import { path } from './path.ts'
import { model } from './model.ts'
import { ripgrep } from './ripgrep.ts'
import { sandbox } from './sandbox.ts'
import { screen } from './screen.ts'
import { settings } from './settings.ts'
import { state } from './state.ts'
import { system } from './system.ts'
import { temporary } from './temporary.ts'
import { trust } from './trust.ts'
import { webSearch } from './web-search.ts'

/** In the order in which they are told. */
export const checks: readonly Check[] = [
  system,
  model,
  ripgrep,
  sandbox,
  path,
  languageServers,
  git,
  webSearch,
  settings,
  trust,
  state,
  temporary,
  screen,
]
