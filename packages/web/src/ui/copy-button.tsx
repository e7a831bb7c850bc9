import { useState } from 'react'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { useToast } from './toasts.tsx'

/** Copies text. */
export function CopyButton({
  text,
  label,
  className,
}: {
  readonly text: string | (() => string)
  /** The name of the copied text, if it isn't obvious. */
  readonly label?: string
  /** Its class if the label is shown. Default: a small icon. */
  readonly className?: string
}): ReactNode {
  const { t } = useWords()
  const toast = useToast()
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
      setCopied(true)
      setTimeout(() => setCopied(false), 1500)
    } catch {
      // Some browsers forbid it, such as on pages from another machine without HTTPS.
      toast({ title: t('shell.notCopied'), kind: 'no' })
    }
  }
  const shown = isCopied ? t('shell.copied') : (label ?? t('shell.copy'))
  return (
    <button
      type="button"
      className={className ?? 'icon-button icon-button-small'}
      title={shown}
      {...(className === undefined && { 'aria-label': shown })}
      onClick={() => void copy()}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      {className !== undefined && shown}
    </button>
  )
}
