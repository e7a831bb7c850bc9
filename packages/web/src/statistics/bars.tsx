import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'

/** A bar: its name, its parts (class and length), and the figure after it. */
interface Bar {
  readonly key: string
  readonly name: ReactNode
  readonly parts: readonly (readonly [className: string, length: number])[]
  readonly end: ReactNode
}

/** Labelled bars. Each is as long as its share of `max`; without `max`, all are full. */
export function Bars({
  bars,
  max,
}: {
  readonly bars: readonly Bar[]
  readonly max?: number
}): ReactNode {
  return (
    <ul className="grid grid-cols-[118px_minmax(0,1fr)_auto] gap-x-2.5 gap-y-[7px]">
      {bars.map(({ key, name, parts, end }) => {
        const total = parts.reduce((sum, [, length]) => sum + length, 0)
        return (
          <li key={key} className="col-span-full grid grid-cols-subgrid items-center">
            {name}
            <span className="h-2.5 overflow-hidden rounded-[2px] bg-hover" aria-hidden="true">
              <span
                className="flex h-full gap-px"
                style={{ width: `${Math.min(1, total / (max ?? total)) * 100}%` }}
              >
                {parts.map(
                  ([className, length], at) =>
                    length > 0 && (
                      <i
                        key={at}
                        className={`h-full basis-0.5 ${className}`}
                        style={{ flexGrow: length }}
                      />
                    ),
                )}
              </span>
            </span>
            <span className="min-w-11 text-right text-12 whitespace-nowrap text-ink-2 tabular-nums">
              {end}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** The name of a tool, model or protocol, linked to its runs. */
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
      className="min-w-0 truncate rounded-sm font-mono text-[11.5px] hover:underline"
      title={t('statistics.runsOf', { name })}
    >
      <VisibleText text={name} />
    </Link>
  )
}
