import type { ReactNode } from 'react'
import { keyTexts } from './key-text.ts'

/** The keys of a command, with the symbols of this keyboard. */
export function Keys({
  keys,
  className = '',
}: {
  readonly keys: string
  readonly className?: string
}): ReactNode {
  return (
    <span className={`inline-flex gap-[3px] ${className}`}>
      {keyTexts(keys, isApple).map((text, at) => (
        <kbd key={at}>{text}</kbd>
      ))}
    </span>
  )
}

/** True on Apple devices, which use ⌘ instead of Ctrl. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
