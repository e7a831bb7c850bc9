import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { pathIn } from './short-path.ts'
import type { ReviewItem, ReviewRow } from './review-rows.ts'
import { Chip } from '../ui/chip.tsx'

/** The effects of a folder's settings, line by line. Draws only visible lines. */
export function ReviewList({
  rows,
  folder,
}: {
  readonly rows: readonly ReviewRow[]
  readonly folder: string
}): ReactNode {
  const { t } = useWords()
  const scroll = useRef<HTMLDivElement>(null)
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: (at) => (rows[at]!.type === 'heading' ? 34 : 52),
    overscan: 12,
  })
  return (
    <div
      className="min-h-[60px] flex-[0_1_auto] overflow-auto border-t border-line bg-bg px-4"
      ref={scroll}
      style={{ height: `min(60vh, ${list.getTotalSize()}px)` }}
      tabIndex={0}
      role="group"
      aria-label={t('folders.title')}
    >
      <div className="relative" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]!
          return (
            <div
              key={index}
              ref={list.measureElement}
              data-index={index}
              className="absolute inset-x-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              {row.type === 'heading' ? (
                <h3 className="pt-3 pb-1 font-580">
                  {t(row.key)} <span className="text-ink-3 tabular-nums">{row.count}</span>
                </h3>
              ) : (
                <Line item={row} folder={folder} />
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function Line({
  item: { text, words, file, line, runsCode, isBroad },
  folder,
}: {
  readonly item: ReviewItem
  readonly folder: string
}): ReactNode {
  const { t } = useWords()
  const place = file === undefined ? undefined : pathIn(folder, file)
  return (
    <div className="grid gap-px border-t border-line py-1.5">
      <code className="font-mono text-12 wrap-anywhere whitespace-pre-wrap">
        <VisibleText text={text} />
      </code>
      <span className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5 text-12 wrap-anywhere text-ink-2">
        {runsCode && <Chip tone="no">{t('folders.code')}</Chip>}
        {isBroad && <Chip tone="ask">{t('folders.broad')}</Chip>}
        {words && <VisibleText text={t(words.key, words.values)} />}
        {place !== undefined && (
          <span className="ml-auto font-code text-11 text-ink-3" title={file}>
            <VisibleText text={line === undefined ? place : `${place}:${line}`} />
          </span>
        )}
      </span>
    </div>
  )
}
