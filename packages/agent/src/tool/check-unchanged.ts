import type { ToolAccess } from '@toolglot/permissions'
import { canonicalJson } from '@toolglot/permissions/internal'
import type { Tool } from './tool.ts'
import { ToolError } from './tool-error.ts'

/**
 * Throws if a schema changes an argument that permissions depend on: the tool would receive something else than what was
 * decided on.
 */
export function checkUnchanged(
  { name, access }: Tool,
  given: Readonly<Record<string, unknown>>,
  checked: Readonly<Record<string, unknown>>,
): void {
  for (const role of ROLES) {
    const key = access[role]
    if (key === undefined || given[key] === checked[key]) continue
    if (canonicalJson(given[key]) === canonicalJson(checked[key])) continue
    throw new ToolError(
      'execution_failed',
      `The schema of ${name} changes ${key}, which permissions depend on. It may only validate it.`,
      { code: 'schema_changes_reach' },
    )
  }
}

const ROLES = [
  'reads',
  'writes',
  'lists',
  'names',
  'runs',
  'runsIn',
  'fetches',
  'hosts',
] as const satisfies readonly (keyof ToolAccess)[]
