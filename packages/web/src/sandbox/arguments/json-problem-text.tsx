import type { ReactNode } from 'react'
import { spellUnseen } from '../../ui/spell-unseen.ts'
import { useWords } from '../../words/words.ts'
import type { JsonProblem } from './json-problem.ts'

/** What is wrong with a JSON text, and where. */
export function JsonProblemText({ problem }: { readonly problem: JsonProblem }): ReactNode {
  const { t } = useWords()
  const { type, line, column, found } = problem
  const shown = found === '\n' ? '⏎' : spellUnseen(found.slice(0, 60))
  return (
    <>
      {t('sandbox.json.at', { line, column })}{' '}
      {t(`sandbox.json.${type}`, type === 'syntax' || type === 'duplicate' ? { found: shown } : {})}
    </>
  )
}
