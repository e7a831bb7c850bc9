import type { RuleNote, RuleProblem } from '@toolglot/permissions'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../terminal.ts'
import { placeOf } from './decision.ts'

/** What `permit --lint` found, for people. */
export function showRuleNotes(
  count: number,
  notes: readonly RuleNote[],
  problems: readonly RuleProblem[],
  { bold, red, yellow, dim, green }: Colors,
): string {
  const invalid = problems.map(
    ({ text, problem, source }) =>
      `${bold(visibleLine(text))}${dim(placeOf({ source }))}\n  ${red('invalid')}  ${visibleLine(problem)}\n`,
  )
  const doubtful = notes.map(
    ({ rule, about, message }) =>
      `${bold(visibleLine(rule.text))}${dim(placeOf(rule))}\n  ${yellow(LABELS[about])}  ${message}\n`,
  )
  const all = [...invalid, ...doubtful]
  const total = `${count} ${count === 1 ? 'rule' : 'rules'}`
  return all.length > 0 ? all.join('\n') : `${green('ok')}  no problems in ${total}\n`
}

const LABELS: Record<RuleNote['about'], string> = {
  never: 'never matches',
  'too-much': 'matches too much',
  'cannot-say': 'matches less than it seems to',
}

/** What `permit --lint` found, for programs. */
export function ruleNotesJson(
  notes: readonly RuleNote[],
  problems: readonly RuleProblem[],
): object {
  return {
    problems: problems.map(({ text, problem, source }) => ({ rule: text, problem, ...source })),
    notes: notes.map(({ rule, about, message }) => ({
      rule: rule.text,
      about,
      message,
      ...rule.source,
    })),
  }
}
