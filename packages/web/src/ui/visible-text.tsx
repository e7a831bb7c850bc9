import type { ReactNode } from 'react'
import { UNSEEN, unseenIn } from './unseen.ts'

/** A text exactly as it is, with a box for every character that nobody would see. For everything that somebody decides on. */
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
