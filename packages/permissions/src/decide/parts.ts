import { judgeFile } from '../path/judge.ts'
import type { Protection } from '../path/protected.ts'
import { judgeFetch } from '../web/judge.ts'
import type { CheckedCall } from './call.ts'
import type { Part } from './decision.ts'
import { judgeName } from './judge-name.ts'
import type { FetchOperation, Operation } from './operation.ts'
import { operationsOf } from './operations-of.ts'
import type { Rule } from '../rule/rule.ts'
import { shellParts } from './shell-parts.ts'
import type { World } from './world.ts'

/** What a call is judged by. */
type Judged = { readonly rules: readonly Rule[] } & Protection

/** What is decided of everything that a call does. There is at least one part. */
export function partsOf(call: CheckedCall, permissions: Judged, world: World): Part[] {
  const { name, args, access } = call
  const { rules } = permissions
  const named = judgeName(name, rules, access)
  if (named.verdict === 'deny') return [named]
  const file = judgeFile(rules, world, permissions)
  const page = judgeFetch(rules)
  const judge = (operation: Operation): Part =>
    operation.kind === 'fetch' ? page(operation) : file(operation)

  const parts = operationsOf(call, world).map(judge)
  if (access.runs !== undefined) parts.push(...shellParts(call, rules, world, judge))
  if (access.hosts !== undefined)
    parts.push(named, ...forbiddenHosts(args[access.hosts], name, rules))
  if (parts.length === 0 || (named.verdict === 'ask' && named.rule)) parts.push(named)
  return parts
}

/** A search that a rule allows may name any host that no rule forbids, for pages or for searches. */
function forbiddenHosts(hosts: unknown, name: string, rules: readonly Rule[]): Part[] {
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
