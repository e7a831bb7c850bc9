import type { ToolAccess } from '@toolglot/permissions'
import { canonicalJson } from '@toolglot/permissions/internal'
import type { Tool } from './tool.ts'
import { ToolError } from './tool-error.ts'

/**
 * Throws where a schema makes something else of an argument that permissions look at: what was decided on would not be
 * what the tool is given.
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
      `The schema of ${name} changes ${key}, which permissions were asked about: let it check only.`,
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
