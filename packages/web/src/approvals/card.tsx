import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { isComposing } from '../ui/is-composing.ts'
import { useFocusRequest } from './focus-next.ts'
import type { Guard } from './use-guard.ts'

/** What every card is: it can have the focus, and its keys act only while it has. */
export function Card({
  call,
  title,
  header,
  className = '',
  guard,
  onKey,
  children,
}: {
  /** The id of the call. */
  readonly call: string
  /** Its name for screen readers. */
  readonly title: string
  readonly header: ReactNode
  readonly className?: string
  readonly guard: Guard
  /**
   * Gets a key that was pressed once while the focus was in the card and nobody typed, in lower case, as on a Latin keyboard: `y`,
   * `1`, `enter`. Returns whether it meant something.
   */
  readonly onKey: (key: string) => boolean
  readonly children: ReactNode
}): ReactNode {
  const { element, listeners } = guard
  const id = useId()
  useFocusRequest(call, element)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const { target, nativeEvent } = event
    if (isComposing(nativeEvent) || event.altKey || event.ctrlKey || event.metaKey) return
    const isTyping = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    if (isTyping) {
      if (event.key !== 'Escape') return
      // Elsewhere it stops the run; here it only ends the typing.
      event.preventDefault()
      element.current?.focus()
      return
    }
    const key = keyOf(event)
    // Whatever a held key has done, it does once.
    if (event.repeat) {
      if (key.length === 1) event.preventDefault()
      return
    }
    if (onKey(key)) event.preventDefault()
  }
  return (
    <section
      ref={element}
      className={`askcard ${className}`}
      role="group"
      aria-labelledby={id}
      // It can have the focus, so that its keys have a place where they act.
      tabIndex={0}
      data-call={call}
      {...listeners}
      onKeyDown={onKeyDown}
    >
      <span className="sr" id={id}>
        {title}
      </span>
      <header>{header}</header>
      {children}
    </section>
  )
}

/** The key as on a Latin keyboard: other alphabets have other letters on it. */
function keyOf({ key, nativeEvent: { code } }: KeyboardEvent): string {
  const isLatin = /^[ -~]+$/.test(key)
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? []
  return (isLatin || letter === undefined ? key : letter).toLowerCase()
}
