import { judgeFile } from '../path/judge.ts'
import { analyse } from '../shell/analyse.ts'
import { judgeCommand } from '../shell/rules.ts'
import { judgeFetch } from '../web/judge.ts'
import { checkCall, type CheckedCall, type OtherTools, type PermissionCall } from './call.ts'
import type { Decision, Part } from './decision.ts'
import { inMode, type Mode } from './mode.ts'
import type { FetchOperation, Operation } from './operation.ts'
import { judgeName } from './judge-name.ts'
import type { Rule, RuleProblem } from './rule.ts'
import { weakness } from './trust.ts'
import { strictest } from './verdict.ts'
import type { World } from './world.ts'

/** What may run. */
export interface Permissions {
  readonly rules: readonly Rule[]
  /** Rules that cannot be understood: while there are any, nothing runs. */
  readonly problems?: readonly RuleProblem[]
  /** Why nothing is allowed without asking, such as settings that cannot be read. */
  readonly doubt?: string
  readonly mode?: Mode
  /** Whether there is someone to ask; true if not told. */
  readonly interactive?: boolean
  /** Tools beside the canonical ones. */
  readonly tools?: OtherTools
}

/** Whether a call may run, and why. It never throws, runs nothing and asks nobody. */
export function decide(call: PermissionCall, permissions: Permissions, world: World): Decision {
  const { problems = [], mode = 'default', interactive = true } = permissions
  const [problem] = problems
  if (problem) return refused(call, `The rule ${problem.text} is wrong: ${problem.problem}`)
  const checked = checkCall(call, permissions.tools)
  if (typeof checked === 'string') return refused(call, checked)
  if (call.trust?.complete === false) return refused(call, 'The call was cut off.')

  const judged = partsOf(checked, permissions, world)
  const doubts = [
    permissions.doubt,
    checked.access.readOnly ? undefined : doubtIn(weakness(call.trust)),
  ]
  for (const doubt of doubts) {
    if (doubt !== undefined && !checked.access.harmless)
      judged.push({ what: checked.name, verdict: 'ask', why: doubt })
  }
  const parts = judged
    .map((part) => inMode(part, mode, checked))
    .map((part) => (interactive ? part : unasked(part)))
  const verdict = strictest(parts.map((part) => part.verdict))
  const deciding = parts.find((part) => part.verdict === verdict)!
  return { ...deciding, parts }
}

function doubtIn(weak: string | undefined): string | undefined {
  return weak === undefined ? undefined : `it is not sure that the model meant this call: ${weak}`
}

function unasked(part: Part): Part {
  if (part.verdict !== 'ask') return part
  return { ...part, verdict: 'deny', why: `${part.why}; and there is nobody to ask` }
}

function refused(call: PermissionCall, error: string): Decision {
  const what = typeof call.name === 'string' ? call.name.slice(0, 80) : 'the call'
  const part: Part = { what, verdict: 'deny', why: error }
  return { ...part, parts: [part], error }
}

/** What is decided of everything that a call does. There is at least one part. */
function partsOf(call: CheckedCall, { rules }: Permissions, world: World): Part[] {
  const { name, args, access } = call
  const named = judgeName(name, rules, access)
  if (named.verdict === 'deny') return [named]
  const fileIn = judgeFile(rules, world)
  const fetched = judgeFetch(rules)
  const judge = (operation: Operation): Part =>
    operation.kind === 'fetch' ? fetched(operation) : fileIn(operation)

  const parts = operationsOf(call, world).map(judge)
  if (access.runs !== undefined) parts.push(...shellParts(call, rules, world, judge))
  if (access.hosts !== undefined) {
    const hosts = hostsOf(args[access.hosts], name).map(fetched)
    // A search that a rule allows may name any host that no rule forbids.
    parts.push(named, ...hosts.filter(({ rule, verdict }) => rule && verdict !== 'allow'))
  }
  if (parts.length === 0 || (named.verdict === 'ask' && named.rule)) parts.push(named)
  return parts
}

/** The parts of shell text. */
function shellParts(
  { args, access }: CheckedCall,
  rules: readonly Rule[],
  world: World,
  judge: (operation: Operation) => Part,
): Part[] {
  const what = textOf(args, access.runs) ?? ''
  const where = textOf(args, access.runsIn)
  const elsewhere = where !== undefined && where !== world.cwd
  const cwd = elsewhere ? (where.startsWith('/') ? where : `${world.cwd}/${where}`) : world.cwd
  const script = analyse(what, { ...world, cwd })
  const doubts = script.doubts.map((why): Part => ({ what, verdict: 'ask', why }))
  if (elsewhere)
    doubts.push({ what: `in ${where}`, verdict: 'ask', why: 'it would run in another folder' })
  const parts = [
    ...doubts,
    ...script.commands.map(judgeCommand(rules)),
    ...script.operations.map((operation) => implied(judge(operation), operation)),
  ]
  return parts.length > 0 ? parts : [{ what, verdict: 'ask', why: 'it runs nothing' }]
}

/** What a command is for is allowed with it, unless something speaks against it. */
function implied(part: Part, operation: Operation): Part {
  if (!operation.implied || !part.unspoken) return part
  return { ...part, verdict: 'allow', why: 'it is what the command is for' }
}

function operationsOf({ name, args, access }: CheckedCall, { cwd }: World): Operation[] {
  const operations: Operation[] = []
  for (const [kind, key] of [
    ['read', access.reads],
    ['write', access.writes],
    ['list', access.lists],
  ] as const) {
    if (key === undefined) continue
    // What names no folder means the one the call starts in.
    const path = textOf(args, key) ?? (access.readOnly ? cwd : undefined)
    operations.push({ kind, path, cwd, because: name, tool: name })
  }
  if (access.fetches !== undefined)
    operations.push({ kind: 'fetch', url: textOf(args, access.fetches), because: name })
  return operations
}

function hostsOf(hosts: unknown, because: string): FetchOperation[] {
  const list: unknown[] = Array.isArray(hosts) ? hosts : []
  return list.map((host) => ({ kind: 'fetch', url: `https://${String(host)}/`, because }))
}

function textOf(
  args: Readonly<Record<string, unknown>>,
  key: string | undefined,
): string | undefined {
  const value = key === undefined ? undefined : args[key]
  return typeof value === 'string' ? value : undefined
}
