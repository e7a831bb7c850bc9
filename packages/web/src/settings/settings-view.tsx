// Folder: Settings and permission rules.
import { Link, useParams, useNavigate } from '@tanstack/react-router'
import { lazy, type LazyExoticComponent, Suspense, useEffect, useRef, type ReactNode } from 'react'
import { FindButton, PhoneMenu } from '../app/view-frame.tsx'
import { PhoneFolder } from '../folders/folder-button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords, type Key } from '../words/words.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { usePathText } from '../folders/short-path.ts'
import { useSettings } from './use-settings.ts'
import { useCommands } from '../app/commands.ts'
import { useApi } from '../app/use-api.ts'
import { useFolder } from '../folders/use-folder.ts'
import { Banner } from '../ui/banner.tsx'
import type { Settings } from './place-text.tsx'
import { ViewMain, ViewHeader, ViewTitle } from '../app/view-parts.tsx'

/** A problem and its location. */
interface Found {
  readonly file: string
  readonly line?: number | undefined
  readonly reason: string
}

/** The settings pages, in order. */
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
  // On phones, the menu is a scrolling row.
  useEffect(() => {
    menu.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <ViewMain>
      <ViewHeader>
        <PhoneMenu />
        <ViewTitle title={t('settings.title')}>
          <PhoneFolder />
        </ViewTitle>
        <span className="min-w-0 flex-1" />
        {settings && (
          <span className="cluster min-w-0 flex-nowrap">
            <span className="text-ink-3 phone:hidden!">{t('settings.kept')}</span>
            <code className="min-w-0 truncate text-ink-3 phone:hidden!" title={settings.userFile}>
              <VisibleText text={pathText(settings.userFile)} />
            </code>
            <CopyButton text={settings.userFile} label={t('settings.copyPath')} />
          </span>
        )}
        <FindButton />
      </ViewHeader>
      <div className="view-body settings-view stack grid-cols-[190px_minmax(0,1fr)] tablet:grid-cols-[150px_minmax(0,1fr)]">
        <nav
          className="grid content-start gap-px border-r border-line px-2 py-2.5 phone:flex phone:overflow-auto phone:border-r-0 phone:border-b phone:p-2"
          ref={menu}
          aria-label={t('settings.title')}
        >
          {PAGES.map(({ id, icon, label }) => (
            <Link
              key={id}
              className="flex min-h-7 items-center gap-2 rounded-md px-2 py-[3px] text-ink-2 hover:bg-hover hover:text-ink aria-[current]:bg-hover aria-[current]:text-ink phone:h-[34px] phone:whitespace-nowrap"
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
        <div className="flex min-h-0 min-w-0 flex-col phone:block">
          {settings && <BrokenFiles settings={settings} />}
          <Suspense fallback={<div className="skeleton m-4 w-1/2" />}>
            <View />
          </Suspense>
        </div>
      </div>
    </ViewMain>
  )
}

/** Offers the other settings pages in the palette. */
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

/** The page for a name in the address. */
function pageOf(name: string | undefined): PageId {
  return PAGES.find(({ id }) => id === name)?.id ?? 'models'
}

/** Classes of a banner with several lines. */
const LONG = 'items-start [&>svg]:mt-0.5'

/** Problems in settings files, and the parts that still work. */
function BrokenFiles({ settings }: { readonly settings: Settings }): ReactNode {
  const { t } = useWords()
  const { folder } = useFolder()
  const pathText = usePathText(settings.folder)
  const lint = useApi('GET /api/permit/lint', { query: { folder } })
  const rules = (lint.data?.problems ?? []).map(({ file, line, rule, problem }) => ({
    file: file ?? '',
    line,
    reason: `${rule}: ${problem}`,
  }))
  const problems = settings.files.flatMap((file) => file.problems)
  const warnings = settings.files.flatMap((file) => file.warnings)
  if (rules.length + problems.length + warnings.length === 0) return null
  const list = (found: readonly Found[]): ReactNode => (
    <ul className="grid gap-1">
      {found.map(({ file, line, reason }, at) => (
        <li key={at}>
          <code title={file}>
            <VisibleText text={pathText(file) + (line === undefined ? '' : `:${line}`)} />
          </code>{' '}
          <VisibleText text={reason} />
        </li>
      ))}
    </ul>
  )
  return (
    <div className="grid gap-2 px-4 pt-3">
      {rules.length > 0 && (
        <Banner kind="no" icon="slash" className={LONG}>
          <b>{t('settings.rules.invalid', { count: rules.length })}</b>
          {list(rules)}
        </Banner>
      )}
      {problems.length > 0 && (
        <Banner kind="no" icon="hand" className={LONG}>
          <b>{t('settings.broken', { count: new Set(problems.map(({ file }) => file)).size })}</b>{' '}
          {t('settings.broken.effect')}
          {list(problems)}
        </Banner>
      )}
      {warnings.length > 0 && (
        <Banner icon="hand" className={LONG}>
          <b>{t('settings.warnings')}</b>
          {list(warnings)}
        </Banner>
      )}
    </div>
  )
}
