import { readFileSync } from 'node:fs'
import type { ToolDefinition } from '@toolglot/core'

/** The tools that real clients sent, by client. Long descriptions are cut. */
export const clientTools = JSON.parse(
  readFileSync(new URL('fixtures/client-tools.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly ToolDefinition[]>>
