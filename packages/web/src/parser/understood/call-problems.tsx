import type { ReactNode } from 'react'
import { faultText } from '../../sandbox/form/fault-text.ts'
import { spellUnseen } from '../../ui/spell-unseen.ts'
import { type Translate, useWords } from '../../words/words.ts'
import type { CallProblem } from '../worker/item.ts'

/** Why a call would fail, one line each. */
export function CallProblems({
  tool,
  problems,
}: {
  readonly tool: string
  readonly problems: readonly CallProblem[]
}): ReactNode {
  const { t } = useWords()
  if (problems.length === 0) return null
  return (
    <ul className="call-problems" aria-label={t('parser.problems')}>
      {problems.map((problem, at) => (
        <li key={at} className={problem.type === 'unknown-argument' ? 'ask' : 'no'}>
          {textOf(problem, spellUnseen(tool), t)}
        </li>
      ))}
    </ul>
  )
}

function textOf(problem: CallProblem, tool: string, t: Translate): string {
  switch (problem.type) {
    case 'unknown-tool':
    case 'unknown-argument': {
      const argument = 'argument' in problem ? spellUnseen(problem.argument) : ''
      const said = t(
        problem.type === 'unknown-tool' ? 'parser.problem.tool' : 'parser.problem.key',
        { tool, argument },
      )
      const { similar } = problem
      if (similar === undefined) return said
      return `${said} ${t('parser.problem.similar', { name: spellUnseen(similar) })}`
    }
    case 'argument': {
      const argument = spellUnseen(problem.argument)
      if (problem.fault.type === 'required') return t('parser.problem.missing', { argument })
      return t('parser.problem.argument', {
        argument,
        fault: faultText(problem.fault, t),
        got: spellUnseen(problem.got ?? ''),
      })
    }
    case 'mistyped':
      return t('parser.problem.mistyped', { got: spellUnseen(problem.got) })
  }
}
