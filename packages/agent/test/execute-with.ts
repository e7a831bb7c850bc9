import { type Permissions, readRules } from '@toolglot/permissions'
import { toExecuteOptions, type Registry } from '../src/registry/registry.ts'
import {
  execute,
  type ExecuteOptions,
  type ExecuteResult,
  type ToolCall,
} from '../src/tool/execute.ts'

/** A workspace for tests that do not depend on files. */
const fileSystem = {
  cwd: '/workspace',
  home: '/home/me',
  roots: ['/workspace'],
  platform: 'linux',
  caseSensitive: true,
  follow: (path: string) => [path],
} as const

/** Runs a call with the tools of a registry. The rules in `allow` permit calls. */
export function executeWith(
  registry: Registry,
  call: Omit<ToolCall, 'id'> & { readonly id?: string },
  {
    allow = [],
    permissions,
    ...options
  }: Partial<ExecuteOptions> & { readonly allow?: readonly string[] } = {},
): Promise<ExecuteResult> {
  const { rules } = readRules({ allow }, { tools: registry.access })
  const given: Permissions = { rules, ...permissions }
  return execute(
    { id: '1', ...call },
    { ...toExecuteOptions(registry, given), fileSystem, ...options },
  )
}

/** The text or error message of a result. */
export function messageOf(result: ExecuteResult): string {
  return result.status === 'error' ? result.failure.message : result.text
}
