import type { Client } from '../client.ts'
import { aider } from './aider.ts'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { continueCli } from './continue.ts'
import { openWebui } from './open-webui.ts'
import { opencode } from './opencode.ts'
import { pi } from './pi.ts'
import { qwenCode } from './qwen-code.ts'
import { zed } from './zed.ts'

/** The clients that `toolglot connect` knows. */
export const clients: readonly Client[] = [
  claudeCode,
  codex,
  opencode,
  qwenCode,
  pi,
  continueCli,
  zed,
  aider,
  openWebui,
]
