import type { RuleNote, RuleProblem } from '@toolglot/permissions'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../terminal.ts'
import { placeOf } from './decision.ts'

/** What there is to say of rules, for people. */
export function showNotes(
  count: number,
  notes: readonly RuleNote[],
  problems: readonly RuleProblem[],
  { bold, red, yellow, dim, green }: Colors,
): string {
  const wrong = problems.map(
    ({ text, problem, source }) =>
      `${bold(visibleLine(text))}${dim(placeOf({ source }))}\n  ${red('wrong')}  ${visibleLine(problem)}\n`,
  )
  const odd = notes.map(
    ({ rule, about, message }) =>
      `${bold(visibleLine(rule.text))}${dim(placeOf(rule))}\n  ${yellow(SAID[about])}  ${message}\n`,
  )
  const all = [...wrong, ...odd]
  const total = `${count} ${count === 1 ? 'rule' : 'rules'}`
  return all.length > 0 ? all.join('\n') : `${green('ok')}  nothing to say of ${total}\n`
}

const SAID: Record<RuleNote['about'], string> = {
  never: 'never matches',
  'too-much': 'reaches far',
  'cannot-say': 'says less than it seems to',
}

/** The same for programs. */
export function notesJson(notes: readonly RuleNote[], problems: readonly RuleProblem[]): object {
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
