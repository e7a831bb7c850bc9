import { approvals } from './approvals.ts'
import { chat } from './chat.ts'
import { compose } from './compose.ts'
import { draw } from './draw.ts'
import { folders } from './folders.ts'
import { gateway } from './gateway.ts'
import { parser } from './parser.ts'
import { runs } from './runs.ts'
import { sandbox } from './sandbox.ts'
import { settings } from './settings.ts'
import { shell } from './shell.ts'
import { statistics } from './statistics.ts'
import { tools } from './tools.ts'
import type { Words } from '../words.ts'

export const zh: Words = {
  ...approvals,
  ...chat,
  ...compose,
  ...draw,
  ...folders,
  ...gateway,
  ...parser,
  ...runs,
  ...sandbox,
  ...settings,
  ...shell,
  ...statistics,
  ...tools,
}
