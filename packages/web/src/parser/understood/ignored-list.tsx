import type { ReactNode } from 'react'
import { spellUnseen } from '../../ui/spell-unseen.ts'
import { useWords } from '../../words/words.ts'
import type { IgnoredCall } from '../worker/item.ts'

/** Whole calls that do not count because of where they are. A click leads there. */
export function IgnoredList({
  ignored,
  onPick,
}: {
  readonly ignored: readonly IgnoredCall[]
  readonly onPick: (from: number) => void
}): ReactNode {
  const { t, number } = useWords()
  return (
    <ul className="ignored">
      {ignored.map(({ why, name, from, to }) => (
        <li key={from}>
          <button type="button" title={t('parser.showPlace')} onClick={() => onPick(from)}>
            {t(`parser.ignored.${why}`, { name: spellUnseen(name) })}
            <span className="end">
              {number(from)}–{number(to)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
