import { Link } from '@tanstack/react-router'
import type { RunView } from '@toolglot/react/view'
import type { ReactNode } from 'react'
import { FindButton } from '../app/find-button.tsx'
import { PhoneMenu } from '../app/phone-menu.tsx'
import { PhoneFolder } from '../folders/phone-folder.tsx'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../words/words.ts'

/** The title of the conversation, and what it waits for. */
export function ChatHeader({
  title,
  view,
  isAsideOpen,
  onAside,
}: {
  readonly title: string
  readonly view: RunView | undefined
  readonly isAsideOpen: boolean
  /** Undefined if there is nothing to show beside it. */
  readonly onAside: (() => void) | undefined
}): ReactNode {
  const { t } = useWords()
  const label = t(isAsideOpen ? 'chat.aside.hide' : 'chat.aside.show')
  return (
    <header className="top">
      <PhoneMenu />
      <div className="ttl">
        <h1 className="cut" title={title}>
          {title}
        </h1>
        <PhoneFolder />
      </div>
      {view && view.waiting.length > 0 && (
        <span className="chip ask wide-only">
          <Icon name="hand" />
          {t('chat.waits')}
        </span>
      )}
      <span className="grow" />
      <FindButton />
      {onAside && view && (
        <Link
          className="btn ghost"
          to="/runs/$run"
          params={{ run: view.run }}
          aria-label={t('runs.timeline')}
          title={t('runs.timeline')}
        >
          <Icon name="runs" />
          <span className="wide-only">{t('runs.timeline')}</span>
        </Link>
      )}
      {onAside && (
        <button
          type="button"
          className="icon-btn"
          aria-label={label}
          aria-expanded={isAsideOpen}
          title={`${label}  ]`}
          onClick={onAside}
        >
          <Icon name="panel" />
        </button>
      )}
    </header>
  )
}
