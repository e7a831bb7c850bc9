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
import { Logo } from './logo.tsx'
import { RecentRuns } from './recent-runs.tsx'
import { SideFooter } from './side-footer.tsx'
import { Keys } from './keys.tsx'

const TABS = VIEWS.filter(({ hasTab }) => hasTab)

const OTHERS = VIEWS.filter(({ hasTab }) => !hasTab)

/** The frame of every view. */
export function Shell(): ReactNode {
  const { run } = useParams({ strict: false })
  return (
    <Dialogs>
      <ShellCommands />
      {run !== undefined && <ShownRunWatcher run={run} />}
      <div className="app">
        <SideBar />
        <div className="view">
          <div className="banners">
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

/** A component of its own: what it watches changes often, and the views need not be drawn for it. */
function ShellCommands(): null {
  useShellCommands()
  useViewTitle()
  return null
}

/** Says that the server does not answer. What is shown stays. */
function ConnectionBanner(): ReactNode {
  const { t } = useWords()
  const { isLost } = useConnection()
  return (
    <div role="status">
      {isLost && (
        <div className="banner">
          <span className="spin" />
          <span className="grow">{t('shell.lost')}</span>
          <button type="button" className="btn sm" onClick={() => void ask()}>
            {t('shell.retry')}
          </button>
        </div>
      )}
    </div>
  )
}

/** Says that calls of other programs wait for a person: they belong to no chat. */
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
      action={
        <button type="button" className="btn sm" onClick={open}>
          {t('shell.review')}
        </button>
      }
    >
      {t('shell.executions', { count })}
    </Banner>
  )
}

/** The views, at the bottom of a phone. */
function PhoneTabs(): ReactNode {
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

/**
 * Has the list of runs asked for again whenever the run that is shown begins, waits or ends. A component of its own: it is drawn
 * with every event of the run, and nothing else should be.
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
    <nav className="side" aria-label={t('shell.main')}>
      <Link className="brand" to="/chat" search={search} aria-label="Toolglot">
        <Logo />
        Toolglot
      </Link>
      <FolderButton />
      <div className="nav">
        <ViewLinks />
      </div>
      <RecentRuns />
      <SideFooter />
    </nav>
  )
}

/** Shows in the tab of the browser how much waits for a person, and the view. A chat shows its own title. */
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

/** Links to views, in the folder that is selected. Default: all of them. */
function ViewLinks({ views = VIEWS }: { readonly views?: readonly View[] }): ReactNode {
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
