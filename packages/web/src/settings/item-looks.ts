/** Classes of an item in a card. */
export const ITEM_FRAME =
  'grid border-t border-line px-3.5 py-2 first:border-t-0 [&_summary]:w-fit [&_summary]:cursor-pointer [&_summary]:text-ink-2'
export const ITEM = `${ITEM_FRAME} gap-2`
/** The first line of an item. In a narrow column, its cells are stacked. */
export const CELLS =
  'grid min-h-6 grid-cols-[10px_29%_minmax(0,1fr)_auto_auto] items-center gap-x-3 gap-y-1 @max-[561px]:grid-cols-[10px_minmax(0,1fr)]'
export const NAME = 'min-w-0 truncate'
export const ABOUT =
  'flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-1 text-ink-2 @max-[561px]:col-[2]'
export const FACT =
  'text-right whitespace-nowrap @max-[561px]:col-[2] @max-[561px]:text-left @max-[561px]:empty:hidden'
export const ACTIONS =
  'flex min-w-24 items-center justify-end gap-1.5 @max-[561px]:col-[2] @max-[561px]:justify-start @max-[561px]:empty:hidden'
/** The content below the first line. */
export const MORE = 'grid min-w-0 gap-1.5 pl-[22px]'
