import type { ReactNode } from 'react'
import { unseenIn } from './unseen.ts'

/** A text exactly as it is, with a box for every character that nobody would see. For everything that somebody decides on. */
export function VisibleText({ text }: { readonly text: string }): ReactNode {
  const pieces: ReactNode[] = []
  let last = 0
  for (const { name, from, to, count } of unseenIn(text)) {
    if (from > last) pieces.push(text.slice(last, from))
    pieces.push(
      <span className="ghostch" key={from}>
        {name}
        {count > 1 && ` ×${count}`}
      </span>,
    )
    last = to
  }
  pieces.push(text.slice(last))
  return <>{pieces}</>
}
