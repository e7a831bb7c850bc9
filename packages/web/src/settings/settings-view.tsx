import { Link, useParams, useNavigate } from '@tanstack/react-router'
import { lazy, type LazyExoticComponent, Suspense, useEffect, useRef, type ReactNode } from 'react'
import { FindButton } from '../app/find-button.tsx'
import { PhoneMenu } from '../app/phone-menu.tsx'
import { PhoneFolder } from '../folders/phone-folder.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords, type Key } from '../words/words.ts'
import { BrokenFiles } from './broken-files.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { usePathText } from './use-path-text.ts'
import { useSettings } from './use-settings.ts'
import { useCommands } from '../app/commands.ts'

/** The pages of the settings, in their order. */
const PAGES = [
  { id: 'models', icon: 'cube', label: 'settings.page.models' },
  { id: 'permissions', icon: 'shield', label: 'settings.page.permissions' },
  { id: 'folders', icon: 'folder', label: 'settings.page.folders' },
  { id: 'mcp', icon: 'plug', label: 'settings.page.mcp' },
  { id: 'sandbox', icon: 'sandbox', label: 'settings.page.sandbox' },
  { id: 'limits', icon: 'clock', label: 'settings.page.limits' },
  { id: 'look', icon: 'globe', label: 'settings.page.look' },
  { id: 'all', icon: 'menu', label: 'settings.page.all' },
] as const satisfies readonly {
  readonly id: string
  readonly icon: IconName
  readonly label: Key
}[]

/** The name of a page in the address. */
type PageId = (typeof PAGES)[number]['id']

const VIEWS: Readonly<Record<PageId, LazyExoticComponent<() => ReactNode>>> = {
  models: lazy(() => import('./models/models-page.tsx')),
  permissions: lazy(() => import('./permissions/permissions-page.tsx')),
  folders: lazy(() => import('./folders/folders-page.tsx')),
  mcp: lazy(() => import('./mcp/mcp-page.tsx')),
  sandbox: lazy(() => import('./sandbox/sandbox-page.tsx')),
  limits: lazy(() => import('./limits/limits-page.tsx')),
  look: lazy(() => import('./look/look-page.tsx')),
  all: lazy(() => import('./all/all-page.tsx')),
}

/** The settings. */
export function SettingsView(): ReactNode {
  const { t } = useWords()
  const { page } = useParams({ strict: false })
  const current = pageOf(page)
  const { data: settings } = useSettings()
  const pathText = usePathText(settings?.folder)
  const View = VIEWS[current]
  usePageCommands()
  const menu = useRef<HTMLElement>(null)
  // On a phone, the menu is a row that scrolls.
  useEffect(() => {
    menu.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <main className="main">
      <header className="top">
        <PhoneMenu />
        <div className="ttl">
          <h1>{t('settings.title')}</h1>
          <PhoneFolder />
        </div>
        <span className="grow" />
        {settings && (
          <span className="rowline min-w-0 flex-nowrap">
            <span className="dim-2 wide-only">{t('settings.kept')}</span>
            <code className="dim-2 cut wide-only" title={settings.userFile}>
              <VisibleText text={pathText(settings.userFile)} />
            </code>
            <CopyButton text={settings.userFile} label={t('settings.copyPath')} />
          </span>
        )}
        <FindButton />
      </header>
      <div className="body settings stack">
        <nav className="menu" ref={menu} aria-label={t('settings.title')}>
          {PAGES.map(({ id, icon, label }) => (
            <Link
              key={id}
              to="/settings/{-$page}"
              params={{ page: id }}
              search={(search) => search}
              activeProps={{}}
              {...(id === current && { 'aria-current': 'page' })}
            >
              <Icon name={icon} />
              {t(label)}
            </Link>
          ))}
        </nav>
        <div className="page">
          {settings && <BrokenFiles settings={settings} />}
          <Suspense fallback={<div className="skel m-4 w-1/2" />}>
            <View />
          </Suspense>
        </div>
      </div>
    </main>
  )
}

/** Offers the other pages of the settings in the palette. */
function usePageCommands(): void {
  const { t } = useWords()
  const navigate = useNavigate()
  useCommands(
    PAGES.map(({ id, icon, label }) => ({
      id: `settings ${id}`,
      label: { text: `${t('settings.title')}: ${t(label)}` },
      group: 'here',
      icon,
      run: () =>
        void navigate({
          to: '/settings/{-$page}',
          params: { page: id },
          search: (search) => search,
        }),
    })),
  )
}

/** The page that an address names. */
function pageOf(name: string | undefined): PageId {
  return PAGES.find(({ id }) => id === name)?.id ?? 'models'
}
