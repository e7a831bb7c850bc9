import { useLocation, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFolder } from '../folders/use-folder.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { useWords } from '../words/words.ts'
import { ViewLinks } from './view-links.tsx'
import { VIEWS } from './views.ts'

const TABS = VIEWS.filter(({ hasTab }) => hasTab)
const OTHERS = VIEWS.filter(({ hasTab }) => !hasTab)

/** The views, at the bottom of a phone. */
export function PhoneTabs(): ReactNode {
  const { t } = useWords()
  const navigate = useNavigate()
  const { search } = useFolder()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const shown = OTHERS.find(({ paths }) => paths.test(path))
  return (
    <nav className="tabs-phone" aria-label={t('shell.views')}>
      <ViewLinks views={TABS} />
      <Menu
        align="end"
        label={t('view.more')}
        trigger={
          <button type="button" {...(shown && { 'aria-current': 'page' })}>
            <Icon name={shown?.icon ?? 'more'} />
            <span className="cut">{t(shown?.label ?? 'view.more')}</span>
          </button>
        }
        items={OTHERS.map(({ to, label, icon }) => ({
          label: t(label),
          icon,
          run: () => void navigate({ to, search }),
        }))}
      />
    </nav>
  )
}
