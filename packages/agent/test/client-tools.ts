import { readFileSync } from 'node:fs'
import type { ToolDefinition } from '@toolglot/core'

/** The tools sent by real clients, by client. Long descriptions are shortened. */
export const clientTools = JSON.parse(
  readFileSync(new URL('fixtures/client-tools.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly ToolDefinition[]>>
