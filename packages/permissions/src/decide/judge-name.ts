import type { ToolAccess } from './access.ts'
import type { DecisionPart } from './decision.ts'
import { decidedBy, type Rule } from '../rule/rule.ts'

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

/** A deny or ask rule with an alias's name also covers a custom tool of that name, which may be the one it means. */
function namesAlias({ verdict, text }: Rule, name: string): boolean {
  return verdict !== 'allow' && text === name
}

/** `mcp__server__*` covers every tool of that server. */
function covers(tool: string, name: string): boolean {
  return tool === name || (tool.endsWith('__*') && name.startsWith(tool.slice(0, -1)))
}
