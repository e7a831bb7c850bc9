import { type Permissions, readRules } from '@toolglot/permissions'
import { executing } from '../src/registry/executing.ts'
import type { Registry } from '../src/registry/registry.ts'
import {
  execute,
  type ExecuteOptions,
  type ExecuteResult,
  type ToolCall,
} from '../src/tool/execute.ts'

/** A file system that is never read. */
const fileSystem = {
  cwd: '/workspace',
  home: '/home/me',
  roots: ['/workspace'],
  platform: 'linux',
  caseSensitive: true,
  follow: (path: string) => [path],
} as const

/** Runs a call with the tools of a registry; the tools in `allow` may run. */
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
  return execute({ id: '1', ...call }, { ...executing(registry, given), fileSystem, ...options })
}

/** The text that a person or a model would read. */
export function messageOf(outcome: ExecuteResult): string {
  return outcome.status === 'error' ? outcome.failure.message : outcome.text
}
