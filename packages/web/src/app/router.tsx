// Folder: The frame around all views: navigation, connection, keyboard.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  Link,
  type ErrorComponentProps,
} from '@tanstack/react-router'
import { Shell } from './shell.tsx'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { Button } from '../ui/button.tsx'
import { ViewMain, ViewHeader, ViewTitle } from './view-parts.tsx'

const root = createRootRoute({ component: Shell })

/** The query parameters of an address. */
export interface PageSearch {
  /** The folder of a new chat or of the settings. Default: the server's own. */
  readonly folder?: string
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0
}

/** Returns the known parameters that have the right type. */
function searchOf<Search extends PageSearch>(
  types: Readonly<Record<Exclude<keyof Search, 'folder'>, (value: unknown) => boolean>>,
): (given: Record<string, unknown>) => Search {
  const known = Object.entries({ folder: isText, ...types })
  return (given) =>
    Object.fromEntries(
      known.flatMap(([key, test]) => (test(given[key]) ? [[key, given[key]]] : [])),
    ) as unknown as Search
}

const validateSearch = searchOf<PageSearch>({})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/chat' })
  },
})

const newChat = createRoute({
  getParentRoute: () => root,
  path: '/chat',
  validateSearch,
  component: lazyRouteComponent(() => import('../chat/chat-view.tsx'), 'ChatView'),
})

const chat = createRoute({
  getParentRoute: () => root,
  path: '/chats/$run',
  validateSearch,
  component: lazyRouteComponent(() => import('../chat/chat-view.tsx'), 'ChatView'),
})

/** The parameters of the tools view: the selected tool. */
export interface ToolSearch extends PageSearch {
  readonly tool?: string
}

const tools = createRoute({
  getParentRoute: () => root,
  path: '/tools',
  validateSearch: searchOf<ToolSearch>({ tool: isText }),
  component: lazyRouteComponent(() => import('../tools/tools-view.tsx'), 'ToolsView'),
})

/** The parameters of the sandbox: a tool and its arguments as JSON. */
export interface SandboxSearch extends ToolSearch {
  readonly arguments?: string
}

const sandboxSearch = searchOf<SandboxSearch>({ tool: isText, arguments: isText })

const sandbox = createRoute({
  getParentRoute: () => root,
  path: '/sandbox',
  validateSearch: ({ arguments: given, ...others }: Record<string, unknown>) =>
    sandboxSearch({
      ...others,
      // The router parses JSON in parameters automatically.
      arguments: typeof given === 'object' && given !== null ? JSON.stringify(given) : given,
    }),
  component: lazyRouteComponent(() => import('../sandbox/sandbox-view.tsx'), 'SandboxView'),
})

/**
 * The parameters of the Parser: a reply of a run. Pasted text is in the fragment, which is not sent
 * to servers.
 */
export interface ParserSearch extends PageSearch {
  readonly run?: string
  /** From 0. */
  readonly turn?: number
  /** The tab, if it isn't the reading. */
  readonly show?: 'compare' | 'draw'
}

const parser = createRoute({
  getParentRoute: () => root,
  path: '/parser',
  validateSearch: searchOf<ParserSearch>({
    run: isText,
    turn: isCount,
    show: (value) => value === 'compare' || value === 'draw',
  }),
  component: lazyRouteComponent(() => import('../parser/parser-view.tsx'), 'ParserView'),
})

/** The parameters of the runs view: the search, and the selected turn and call. */
export interface RunsSearch extends PageSearch {
  readonly search?: string
  readonly tool?: string
  readonly model?: string
  readonly protocol?: string
  /** The end reason or state of the runs. */
  readonly reason?: string
  /** From 0. */
  readonly turn?: number
  /** The turn whose prompt is compared with the selected one. */
  readonly with?: number
  readonly call?: string
  /** The number of events shown in a replay. */
  readonly at?: number
}

const runsSearch = searchOf<RunsSearch>({
  search: isText,
  tool: isText,
  model: isText,
  protocol: isText,
  reason: isText,
  turn: isCount,
  with: isCount,
  call: isText,
  at: isCount,
})

const runs = createRoute({
  getParentRoute: () => root,
  path: '/runs',
  validateSearch: runsSearch,
  component: lazyRouteComponent(() => import('../runs/runs-view.tsx'), 'RunsView'),
})

const recordedRun = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run',
  validateSearch: runsSearch,
  component: lazyRouteComponent(() => import('../runs/runs-view.tsx'), 'RunsView'),
})

/** The parameters of the statistics: a filter for runs. */
export interface StatisticsSearch extends PageSearch {
  /** The number of days to include; 0 for all. */
  readonly days?: number
  /** Only the runs of the folder. */
  readonly here?: true
  readonly tool?: string
  readonly model?: string
  readonly protocol?: string
}

const statistics = createRoute({
  getParentRoute: () => root,
  path: '/statistics',
  validateSearch: searchOf<StatisticsSearch>({
    days: isCount,
    here: (value) => value === true,
    tool: isText,
    model: isText,
    protocol: isText,
  }),
  component: lazyRouteComponent(
    () => import('../statistics/statistics-view.tsx'),
    'StatisticsView',
  ),
})

/** The parameters of the gateway: the selected request. */
export interface GatewaySearch extends PageSearch {
  readonly request?: string
}

const gateway = createRoute({
  getParentRoute: () => root,
  path: '/gateway',
  validateSearch: searchOf<GatewaySearch>({ request: isText }),
  component: lazyRouteComponent(() => import('../gateway/gateway-view.tsx'), 'GatewayView'),
})

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings/{-$page}',
  validateSearch,
  component: lazyRouteComponent(() => import('../settings/settings-view.tsx'), 'SettingsView'),
})

/** The routes of the page. The server serves the page at the same paths. */
export const router = createRouter({
  routeTree: root.addChildren([
    home,
    newChat,
    chat,
    tools,
    sandbox,
    parser,
    runs,
    recordedRun,
    statistics,
    gateway,
    settings,
  ]),
  defaultPreload: false,
  defaultErrorComponent: ViewError,
  defaultNotFoundComponent: NotFound,
  defaultPendingComponent: ViewSkeleton,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** Shown for an unknown address. */
function NotFound(): ReactNode {
  const { t } = useWords()
  return (
    <ViewMain>
      <ViewHeader>
        <ViewTitle title={t('shell.notFound')} />
      </ViewHeader>
      <div className="view-body">
        <div className="empty place-content-center p-6">
          <b>{t('shell.notFound.about')}</b>
          <Link className="button button-primary" to="/chat">
            {t('shell.newChat')}
          </Link>
        </div>
      </div>
    </ViewMain>
  )
}

/** Replaces a view that failed. The rest of the page keeps working. */
function ViewError({ error }: ErrorComponentProps): ReactNode {
  const { t } = useWords()
  const { message, stack = message } = error instanceof Error ? error : { message: String(error) }
  const details = `${location.pathname}\n${stack}`
  return (
    <ViewMain>
      <ViewHeader>
        <ViewTitle title={t('shell.error')} />
      </ViewHeader>
      <div className="view-body min-h-0 overflow-auto overscroll-contain">
        <div className="pane-content max-w-168 justify-items-start" role="alert">
          <p>{t('shell.error.about')}</p>
          <pre className="code">
            <VisibleText text={message.slice(0, 2000)} />
          </pre>
          <div className="cluster">
            <Button look="primary" onClick={() => location.reload()}>
              {t('shell.reload')}
            </Button>
            <CopyButton text={details} label={t('shell.error.copy')} className="button" />
          </div>
        </div>
      </div>
    </ViewMain>
  )
}

/** A placeholder for a view that is loading. */
function ViewSkeleton(): ReactNode {
  const { t } = useWords()
  return (
    <ViewMain aria-busy="true" aria-label={t('shell.loading')}>
      <ViewHeader>
        <div className="skeleton w-40" />
      </ViewHeader>
      <div className="pane-content">
        <div className="skeleton w-3/4" />
        <div className="skeleton w-1/2" />
        <div className="skeleton w-2/3" />
      </div>
    </ViewMain>
  )
}
