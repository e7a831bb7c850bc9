import { judgeFile } from '../path/judge.ts'
import type { ProtectionSettings } from '../path/protected.ts'
import { judgeFetch } from '../web/judge.ts'
import { type CheckedCall, textArgument } from './call.ts'
import type { DecisionPart } from './decision.ts'
import type { FetchOperation, Operation } from './operation.ts'
import { type Rule, decidedBy } from '../rule/rule.ts'
import { type JudgedParts, shellParts } from './shell-parts.ts'
import type { SearchableFileSystem } from './look-up.ts'
import type { FileSystemView } from './file-system.ts'
import type { ToolAccess } from './canonical-tools.ts'

/** The context in which a call is judged. */
type Judged = { readonly rules: readonly Rule[] } & ProtectionSettings

/**
 * The verdicts on all actions of a call, and the shell text that they apply to. There is at least
 * one part.
 */
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

/** An allowed search may use any host that no rule forbids for pages or searches. */
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

/** The files and pages in a call's arguments. */
function operationsOf({ name, args, access }: CheckedCall, { cwd }: FileSystemView): Operation[] {
  const operations: Operation[] = []
  for (const [kind, key] of [
    ['read', access.reads],
    ['write', access.writes],
    ['list', access.lists],
  ] as const) {
    if (key === undefined) continue
    // The default folder is the one the call starts in.
    const path = textArgument(args, key) ?? (access.readOnly ? cwd : undefined)
    operations.push({ kind, path, cwd, because: name, tool: name })
    const outside = kind === 'list' ? folderOutside(textArgument(args, access.names)) : undefined
    if (outside !== undefined)
      operations.push({ kind, path: outside, cwd: path ?? cwd, because: name, tool: name })
  }
  if (access.fetches !== undefined)
    operations.push({ kind: 'fetch', url: textArgument(args, access.fetches), because: name })
  return operations
}

/** The folder that a pattern of file names leads to, if it is outside the searched folder. */
function folderOutside(pattern: string | undefined): string | undefined {
  if (pattern === undefined || !/^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(pattern)) return undefined
  const names = pattern.split('/')
  const wild = names.findIndex((part) => /[*?[{]/.test(part))
  return (wild < 0 ? names : names.slice(0, wild)).join('/') || '/'
}

/** Judges a tool by the rules without a pattern, such as `Grep` or `mcp__notes__*`. */
export function judgeName(name: string, rules: readonly Rule[], access: ToolAccess): DecisionPart {
  const about = rules.filter(
    (rule) => rule.pattern === undefined && (covers(rule.tool, name) || namesAlias(rule, name)),
  )
  for (const verdict of ['deny', 'ask', 'allow'] as const) {
    const rule = about.find((candidate) => candidate.verdict === verdict)
    if (rule) return { what: name, verdict, why: decidedBy(rule), rule }
  }
  return access.harmless
    ? { what: name, verdict: 'allow', why: 'changes nothing' }
    : { what: name, verdict: 'ask', why: `no rule allows ${name}` }
}

/**
 * A deny or ask rule with an alias's name also covers a custom tool with that name, since the rule
 * may refer to either.
 */
function namesAlias({ verdict, text }: Rule, name: string): boolean {
  return verdict !== 'allow' && text === name
}

/** `mcp__server__*` covers every tool of that server. */
function covers(tool: string, name: string): boolean {
  return tool === name || (tool.endsWith('__*') && name.startsWith(tool.slice(0, -1)))
}
