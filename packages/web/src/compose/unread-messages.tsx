import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../words/words.ts'
import type { SentMessage } from './sent-messages.ts'

/** Messages that the run reads before its next turn. */
export function UnreadMessages({
  messages,
}: {
  readonly messages: readonly SentMessage[]
}): ReactNode {
  const { t } = useWords()
  if (messages.length === 0) return null
  return (
    <ul className="unread" aria-label={t('compose.unread')} role="status">
      {messages.map(({ text }, at) => (
        <li key={at}>
          <Icon name="clock" />
          <span className="cut grow">{text}</span>
          <span className="dim-2">{t('compose.unread')}</span>
        </li>
      ))}
    </ul>
  )
}
