import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../words/words.ts'

/** A recorded turn. */
export interface TurnPlace {
  readonly run: string
  readonly turn: number
}

/** A link that opens the reply of a recorded turn in the Parser. */
export function ParserLink({ run, turn }: TurnPlace): ReactNode {
  const { t } = useWords()
  return (
    <Link className="button button-ghost button-small" to="/parser" search={{ run, turn }}>
      <Icon name="parser" />
      {t('view.parser')}
    </Link>
  )
}
