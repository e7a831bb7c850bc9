import { useEffect, useRef } from 'react'
import type { Reading } from '../worker/messages.ts'
import { firstProblem } from './first-of.ts'
import type { Revealed } from './understood-list.tsx'

/** A change of this many characters is another text; less is typing, during which nothing should jump. */
const OTHER_TEXT = 24

/** Shows the first problem of a text that has just been opened or pasted. */
export function useFirstProblem(
  reading: Reading | undefined,
  loaded: number,
  show: (revealed: Revealed) => void,
): void {
  const before = useRef({ length: 0, loaded: -1 })
  useEffect(() => {
    if (!reading) return
    const { length } = reading
    const isOther =
      loaded !== before.current.loaded || Math.abs(length - before.current.length) > OTHER_TEXT
    // The text before is still shown until the new one is read.
    before.current = { length, loaded: isOther && length === 0 ? -1 : loaded }
    const piece = isOther ? firstProblem(reading) : undefined
    if (piece !== undefined) show({ piece, isProblem: true })
  }, [reading, loaded, show])
}
