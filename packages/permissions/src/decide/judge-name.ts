import type { ToolAccess } from './access.ts'
import type { DecisionPart } from './decision.ts'
import type { Rule } from '../rule/rule.ts'

/** What the rules say of a tool as a whole. */
export function judgeName(name: string, rules: readonly Rule[], access: ToolAccess): DecisionPart {
  const about = rules.filter(
    (rule) => rule.pattern === undefined && (covers(rule.tool, name) || namesAlias(rule, name)),
  )
  for (const verdict of ['deny', 'ask', 'allow'] as const) {
    const rule = about.find((candidate) => candidate.verdict === verdict)
    if (rule) return { what: name, verdict, why: `the rule ${rule.text} says so`, rule }
  }
  return access.harmless
    ? { what: name, verdict: 'allow', why: 'it changes nothing' }
    : { what: name, verdict: 'ask', why: `no rule allows ${name}` }
}

/** A rule for an alias's name forbids a tool of one's own that has it, too: whoever wrote it may have meant that one. */
function namesAlias({ verdict, text }: Rule, name: string): boolean {
  return verdict !== 'allow' && text === name
}

/** `mcp__server__*` covers every tool of that server. */
function covers(tool: string, name: string): boolean {
  return tool === name || (tool.endsWith('__*') && name.startsWith(tool.slice(0, -1)))
}
