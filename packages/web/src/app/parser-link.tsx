import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../words/words.ts'

/** Leads to the Parser, which shows the reply of a recorded turn. */
export function ParserLink({
  run,
  turn,
}: {
  readonly run: string
  readonly turn: number
}): ReactNode {
  const { t } = useWords()
  return (
    <Link className="btn ghost sm" to="/parser" search={{ run, turn }}>
      <Icon name="parser" />
      {t('view.parser')}
    </Link>
  )
}
