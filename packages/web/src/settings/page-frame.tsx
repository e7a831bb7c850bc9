import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../words/words.ts'

/** A page of the settings: what it is about, what can be done, and its content. */
export function PageFrame({
  title,
  about,
  actions,
  children,
}: {
  readonly title: string
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className="pane">
      <div className="bar">
        <h2 className="font-semibold">{title}</h2>
        {about !== undefined && <span className="dim cut grow wide-only">{about}</span>}
        <span className="ml-auto" />
        {actions}
      </div>
      <div className="pad max-w-[980px]">{children}</div>
    </div>
  )
}

/** The link to the settings of folders, where a person reviews what a folder asks for. */
export function ReviewLink(): ReactNode {
  const { t } = useWords()
  return (
    <Link
      className="linkish"
      to="/settings/{-$page}"
      params={{ page: 'folders' }}
      search={(search) => search}
    >
      {t('shell.review')}
    </Link>
  )
}

/** Opens or closes the form that adds something. */
export function AddButton({
  label,
  isAdding,
  setAdding,
}: {
  readonly label: string
  readonly isAdding: boolean
  readonly setAdding: (isAdding: boolean) => void
}): ReactNode {
  return (
    <button
      type="button"
      className="btn"
      aria-expanded={isAdding}
      onClick={() => setAdding(!isAdding)}
    >
      <Icon name="plus" />
      {label}
    </button>
  )
}

/** Saves a form of the settings, or leaves it. */
export function SaveOrCancel({
  isDisabled,
  onCancel,
}: {
  readonly isDisabled: boolean
  readonly onCancel: () => void
}): ReactNode {
  const { t } = useWords()
  return (
    <>
      <button type="submit" className="btn pri" disabled={isDisabled}>
        {t('settings.save')}
      </button>
      <button type="button" className="btn ghost" onClick={onCancel}>
        {t('shell.cancel')}
      </button>
    </>
  )
}
