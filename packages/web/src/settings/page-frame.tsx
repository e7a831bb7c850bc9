import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../words/words.ts'
import { Button } from '../ui/button.tsx'

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
    <div className="pane @container flex-1">
      <div className="toolbar">
        <h2 className="font-600">{title}</h2>
        {about !== undefined && (
          <span className="min-w-0 flex-1 truncate text-ink-2 phone:hidden!">{about}</span>
        )}
        <span className="ml-auto" />
        {actions}
      </div>
      <div className="pane-content max-w-[980px]">{children}</div>
    </div>
  )
}

/** The link to the settings of folders, where a person reviews what a folder asks for. */
export function ReviewLink(): ReactNode {
  const { t } = useWords()
  return (
    <Link
      className="text-link"
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
    <Button aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
      <Icon name="plus" />
      {label}
    </Button>
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
      <Button type="submit" look="primary" disabled={isDisabled}>
        {t('settings.save')}
      </Button>
      <Button look="ghost" onClick={onCancel}>
        {t('shell.cancel')}
      </Button>
    </>
  )
}
