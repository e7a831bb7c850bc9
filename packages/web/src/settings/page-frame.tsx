import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../words/words.ts'
import { Button } from '../ui/button.tsx'

/** The frame of a settings page: its title, description, actions and content. */
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

/** A link to the folder settings, where users review a folder's settings. */
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

/** Opens or closes a form that adds an entry. */
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

/** The buttons of a settings form: save and cancel. */
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
