import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../words/words.ts'

/** A recorded turn. */
export interface TurnPlace {
  readonly run: string
  readonly turn: number
}

/** Leads to the Parser, which shows the reply of a recorded turn. */
export function ParserLink({ run, turn }: TurnPlace): ReactNode {
  const { t } = useWords()
  return (
    <Link className="button button-ghost button-small" to="/parser" search={{ run, turn }}>
      <Icon name="parser" />
      {t('view.parser')}
    </Link>
  )
}
