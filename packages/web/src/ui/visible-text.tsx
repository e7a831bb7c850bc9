import type { ReactNode } from 'react'
import { UNSEEN, unseenIn } from './unseen.ts'

/** The exact text, with invisible characters as boxes. For every text that the user decides on. */
export function VisibleText({
  text,
  unseen = UNSEEN,
}: {
  readonly text: string
  readonly unseen?: RegExp
}): ReactNode {
  const pieces: ReactNode[] = []
  let last = 0
  for (const { name, from, to, count } of unseenIn(text, unseen)) {
    if (from > last) pieces.push(text.slice(last, from))
    pieces.push(
      <span
        className="rounded-[3px] bg-no-bg px-[3px] align-[1px] text-[10px] text-no inset-ring inset-ring-no-line"
        key={from}
      >
        {name}
        {count > 1 && ` ×${count}`}
      </span>,
    )
    last = to
  }
  pieces.push(text.slice(last))
  return <>{pieces}</>
}
