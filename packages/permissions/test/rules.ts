import type { Rule } from '../src/rule/rule.ts'

export interface RuleTexts {
  readonly allow?: readonly string[]
  readonly ask?: readonly string[]
  readonly deny?: readonly string[]
}

/** Parses rules as if they were from a project's settings. */
export function rulesOf(texts: RuleTexts, root?: string): Rule[] {
  return (['allow', 'ask', 'deny'] as const).flatMap((verdict) =>
    (texts[verdict] ?? []).map((text): Rule => {
      const open = text.indexOf('(')
      const source = { scope: 'project' as const, ...(root !== undefined && { root }) }
      if (open < 0) return { verdict, text, tool: text, source }
      return { verdict, text, tool: text.slice(0, open), pattern: text.slice(open + 1, -1), source }
    }),
  )
}
