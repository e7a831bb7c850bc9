import { judgeFile } from '../path/judge.ts'
import type { ProtectionSettings } from '../path/protected.ts'
import { judgeFetch } from '../web/judge.ts'
import type { CheckedCall } from './call.ts'
import type { DecisionPart } from './decision.ts'
import { judgeName } from './judge-name.ts'
import type { FetchOperation, Operation } from './operation.ts'
import { operationsOf } from './operations-of.ts'
import type { Rule } from '../rule/rule.ts'
import { type JudgedParts, shellParts } from './shell-parts.ts'
import type { SearchableFileSystem } from './look-up.ts'

/** What a call is judged with. */
type Judged = { readonly rules: readonly Rule[] } & ProtectionSettings

/** The verdicts on everything that a call does, and the shell text that they hold for. There is at least one part. */
export function partsOf(
  call: CheckedCall,
  permissions: Judged,
  fileSystem: SearchableFileSystem,
): JudgedParts & { readonly parts: DecisionPart[] } {
  const { name, args, access } = call
  const { rules } = permissions
  const named = judgeName(name, rules, access)
  if (named.verdict === 'deny') return { parts: [named] }
  const file = judgeFile(rules, fileSystem, permissions)
  const page = judgeFetch(rules)
  const judge = (operation: Operation): DecisionPart =>
    operation.kind === 'fetch' ? page(operation) : file(operation)

  const parts = operationsOf(call, fileSystem).map(judge)
  const shell = access.runs === undefined ? undefined : shellParts(call, rules, fileSystem, judge)
  if (shell) parts.push(...shell.parts)
  if (access.hosts !== undefined)
    parts.push(named, ...forbiddenHosts(args[access.hosts], name, rules))
  if (parts.length === 0 || (named.verdict === 'ask' && named.rule)) parts.push(named)
  return { ...shell, parts }
}

/** An allowed search may name any host that no rule forbids, neither for pages nor for searches. */
function forbiddenHosts(hosts: unknown, name: string, rules: readonly Rule[]): DecisionPart[] {
  const about = rules.map((rule) =>
    rule.tool === name && rule.pattern !== undefined ? { ...rule, tool: 'WebFetch' } : rule,
  )
  return hostsOf(hosts, name)
    .map(judgeFetch(about))
    .filter(({ rule, verdict }) => rule && verdict !== 'allow')
}

function hostsOf(hosts: unknown, because: string): FetchOperation[] {
  const list: unknown[] = Array.isArray(hosts) ? hosts : []
  return list.map((host) => ({ kind: 'fetch', url: `https://${String(host)}/`, because }))
}
