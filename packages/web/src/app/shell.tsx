import { Outlet, useParams, useLocation, useNavigate, Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { TrustBanner } from '../folders/trust-banner.tsx'
import { Dialogs, useDialog } from './dialogs.tsx'
import { useShellCommands } from './use-shell-commands.ts'
import { useWords } from '../words/words.ts'
import { ask, useConnection } from './connection.ts'
import { useWaitingExecutions, useWaitingCount } from '../approvals/shown-here.ts'
import { Banner } from '../ui/banner.tsx'
import { useCommands } from './commands.ts'
import { useFolder } from '../folders/use-folder.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { VIEWS, type View } from './views.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRun } from '@toolglot/react'
import { FolderButton } from '../folders/folder-button.tsx'
import { BRAND, Logo } from './logo.tsx'
import { RecentRuns } from './recent-runs.tsx'
import { SideFooter } from './side-footer.tsx'
import { Keys } from './keys.tsx'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { SIDE_LINK, SHELL_BANNER } from './shell-looks.ts'

const TABS = VIEWS.filter(({ hasTab }) => hasTab)

const OTHERS = VIEWS.filter(({ hasTab }) => !hasTab)

/** The frame of every view. */
export function Shell(): ReactNode {
  const { run } = useParams({ strict: false })
  return (
    <Dialogs>
      <ShellCommands />
      {run !== undefined && <ShownRunWatcher run={run} />}
      <div className="grid h-dvh grid-cols-[var(--side-bar)_minmax(0,1fr)] phone:grid-cols-1 phone:grid-rows-[minmax(0,1fr)_auto] phone:[&_kbd]:hidden">
        <SideBar />
        <div className="grid min-h-0 min-w-0 grid-cols-1 grid-rows-[auto_minmax(0,1fr)]">
          <div className="grid min-w-0 grid-cols-1">
            <ConnectionBanner />
            <ExecutionsBanner />
            <TrustBanner />
          </div>
          <Outlet />
        </div>
        <PhoneTabs />
      </div>
    </Dialogs>
  )
}

/** A separate component, because its data changes often and must not redraw the views. */
function ShellCommands(): null {
  useShellCommands()
  useViewTitle()
  return null
}

/** Warns that the server does not answer. The page keeps its content. */
function ConnectionBanner(): ReactNode {
  const { t } = useWords()
  const { isLost } = useConnection()
  return (
    <div role="status">
      {isLost && (
        <div className={`banner ${SHELL_BANNER}`}>
          <Spinner className="border-[color-mix(in_srgb,currentColor_25%,transparent)] border-t-current" />
          <span className="min-w-0 flex-1">{t('shell.lost')}</span>
          <Button small onClick={() => void ask()}>
            {t('shell.retry')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Announces calls of other programs that wait for the user. They belong to no chat. */
function ExecutionsBanner(): ReactNode {
  const { t } = useWords()
  const openDialog = useDialog()
  const count = useWaitingExecutions().length
  const open = (): void => openDialog({ type: 'executions' })
  useCommands(
    count === 0
      ? []
      : [
          {
            id: 'review executions',
            label: { text: t('shell.executions.review', { count }) },
            group: 'waiting',
            icon: 'hand',
            run: open,
          },
        ],
  )
  if (count === 0) return null
  return (
    <Banner
      icon="hand"
      className={SHELL_BANNER}
      action={
        <Button small onClick={open}>
          {t('shell.review')}
        </Button>
      }
    >
      {t('shell.executions', { count })}
    </Banner>
  )
}

/** The navigation at the bottom of the screen on phones. */
function PhoneTabs(): ReactNode {
  const { t } = useWords()
  const navigate = useNavigate()
  const { search } = useFolder()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const shown = OTHERS.find(({ paths }) => paths.test(path))
  return (
    <nav
      className="hidden auto-cols-fr grid-flow-col border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] phone:grid"
      aria-label={t('shell.views')}
    >
      <ViewLinks views={TABS} isTab />
      <Menu
        align="end"
        label={t('view.more')}
        trigger={
          <button type="button" className={TAB} {...(shown && { 'aria-current': 'page' })}>
            <Icon name={shown?.icon ?? 'more'} />
            <span className="min-w-0 truncate">{t(shown?.label ?? 'view.more')}</span>
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

/**
 * Requests the list of runs again whenever the displayed run starts, waits or ends. A separate
 * component, because every event of the run redraws it.
 */
function ShownRunWatcher({ run }: { readonly run: string }): null {
  const queries = useQueryClient()
  const { state } = useRun(run).view
  useEffect(() => {
    if (state === 'new') return
    void queries.invalidateQueries({ queryKey: ['GET /api/runs'] })
  }, [queries, run, state])
  return null
}

/** The folder, the views and the recent runs. */
function SideBar(): ReactNode {
  const { t } = useWords()
  const { search } = useFolder()
  return (
    <nav
      className="flex min-h-0 flex-col border-r border-line bg-sunk phone:hidden"
      aria-label={t('shell.main')}
    >
      <Link
        className={`${BRAND} flex-none px-3.5 tablet:px-[17px]`}
        to="/chat"
        search={search}
        aria-label="Toolglot"
      >
        <Logo />
        Toolglot
      </Link>
      <FolderButton />
      <div className="grid gap-px px-2 py-0.5">
        <ViewLinks />
      </div>
      <RecentRuns />
      <SideFooter />
    </nav>
  )
}

/**
 * Sets the title of the browser tab to the number of waiting requests and the view. A chat sets its
 * own title.
 */
function useViewTitle(): void {
  const { t } = useWords()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const count = useWaitingCount()
  const view = VIEWS.find(({ paths }) => paths.test(path))
  const title = view ? `${t(view.label)} · Toolglot` : 'Toolglot'
  const isChat = view?.to === '/chat'
  useEffect(() => {
    if (!isChat) document.title = count === 0 ? title : `(${count}) ${title}`
  }, [count, isChat, title])
}

const TAB =
  'relative grid justify-items-center gap-0.5 pt-[7px] pb-1.5 text-[10.5px] font-520 text-ink-2 aria-[current=page]:text-ink [&_svg]:size-5 aria-[current=page]:[&_svg]:stroke-2'

/** Links to views in the selected folder. Default: all views. */
function ViewLinks({
  views = VIEWS,
  isTab = false,
}: {
  readonly views?: readonly View[]
  /** True for the tabs on phones. */
  readonly isTab?: boolean
}): ReactNode {
  const { t } = useWords()
  const { search } = useFolder()
  const path = useLocation({ select: ({ pathname }) => pathname })
  return views.map(({ to, label, icon, keys, paths }) => (
    <Link
      key={to}
      className={
        isTab ? TAB : `${SIDE_LINK} group h-[30px] gap-[9px] tablet:relative tablet:justify-center`
      }
      to={to}
      search={search}
      title={t(label)}
      // A view can have several addresses, so the link cannot detect by itself if it is current.
      activeProps={{ 'aria-current': undefined }}
      {...(paths.test(path) && { 'aria-current': 'page' })}
    >
      <Icon name={icon} />
      <span className={`min-w-0 truncate ${isTab ? '' : 'tablet:hidden'}`}>{t(label)}</span>
      {to === '/chat' && (
        <WaitingCount
          className={
            isTab
              ? 'absolute top-[3px] left-[54%]'
              : 'ml-auto tablet:absolute tablet:top-0 tablet:right-0 tablet:scale-85'
          }
        />
      )}
      {!isTab && (
        <Keys
          keys={keys}
          className="ml-auto opacity-0 transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100 tablet:hidden [[data-waiting]+&]:hidden"
        />
      )}
    </Link>
  ))
}

/** The number of calls and questions that wait for the user; nothing if it is 0. */
function WaitingCount({ className }: { readonly className: string }): ReactNode {
  const { t, number } = useWords()
  const count = useWaitingCount()
  if (count === 0) return null
  const words = t('shell.waiting', { count })
  return (
    <span
      className={`inline-grid h-[17px] min-w-[17px] place-items-center rounded-full border border-ask-line bg-ask-bg px-[5px] text-11 leading-none font-620 text-ask ${className}`}
      title={words}
      data-waiting
    >
      <span aria-hidden="true">{number(count)}</span>
      <span className="sr-only">{words}</span>
    </span>
  )
}
