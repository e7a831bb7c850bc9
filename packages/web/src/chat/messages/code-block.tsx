import type { ReactNode } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { LongText } from '../../ui/long-text.tsx'
import { useWords } from '../../words/words.ts'
import { LiveText } from '../live-text.tsx'

/** Code in a reply. */
export function CodeBlock({
  text,
  language,
  isOpen = false,
}: {
  readonly text: string
  readonly language: string
  /** Whether it is still being written. */
  readonly isOpen?: boolean
}): ReactNode {
  const { t } = useWords()
  return (
    <div className="codeblock">
      <div className="codehead">
        <span className="cut">{language.slice(0, 40)}</span>
        <CopyButton text={text} />
      </div>
      {isOpen ? (
        <LiveText text={text} label={t('chat.code')} className="code" />
      ) : (
        <LongText text={text} label={t('chat.code')} />
      )}
    </div>
  )
}
