import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFolder } from '../folders/use-folder.ts'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../words/words.ts'
import { Keys } from './keys.tsx'
import { type View, VIEWS } from './views.ts'
import { useWaitingCount } from '../approvals/waiting-count.ts'

/** Links to views, in the folder that is selected. Default: all of them. */
export function ViewLinks({ views = VIEWS }: { readonly views?: readonly View[] }): ReactNode {
  const { t } = useWords()
  const { search } = useFolder()
  const path = useLocation({ select: ({ pathname }) => pathname })
  return views.map(({ to, label, icon, keys, paths }) => (
    <Link
      key={to}
      to={to}
      search={search}
      title={t(label)}
      // A view can have more than one address, so the link does not know by itself.
      activeProps={{ 'aria-current': undefined }}
      {...(paths.test(path) && { 'aria-current': 'page' })}
    >
      <Icon name={icon} />
      <span className="cut">{t(label)}</span>
      {to === '/chat' && <WaitingCount />}
      <Keys keys={keys} />
    </Link>
  ))
}

/** How many calls and questions wait for a person, if any do. */
function WaitingCount(): ReactNode {
  const { t, number } = useWords()
  const count = useWaitingCount()
  if (count === 0) return null
  const words = t('shell.waiting', { count })
  return (
    <span className="count" title={words}>
      <span aria-hidden="true">{number(count)}</span>
      <span className="sr">{words}</span>
    </span>
  )
}
