import { approvals } from './approvals.ts'
import { chat } from './chat.ts'
import { compose } from './compose.ts'
import { parser } from './parser.ts'
import { shell } from './shell.ts'
import { gateway } from './gateway.ts'
import { runs } from './runs.ts'
import { tools } from './tools.ts'
import { settings } from './settings.ts'
import { merge } from '../words.ts'

export const zh = merge({ approvals, chat, compose, gateway, parser, runs, settings, shell, tools })
