import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'

/** The name of a tool, a model or a protocol, as a link to the runs with it. */
export function RunsLink({
  of,
  name,
}: {
  readonly of: 'tool' | 'model' | 'protocol'
  readonly name: string
}): ReactNode {
  const { t } = useWords()
  return (
    <Link
      to="/runs"
      search={({ folder }) => ({ folder, [of]: name })}
      className="mono cut plot-name"
      title={t('statistics.runsOf', { name })}
    >
      <VisibleText text={name} />
    </Link>
  )
}
