// Folder: The parser's view, with its worker.
import { type ReactNode, useMemo, useState } from 'react'
import { ParserPage } from './parser-page.tsx'
import {
  SourcesContext,
  type FrameProps,
  type FromServer,
  type ParserAddress,
  type ParserSources,
  trustedUrl,
} from './sources.ts'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import type { Reply, ToolDefinition } from '@toolglot/core'
import { client } from '../app/client.ts'
import { errorText, useApi } from '../app/use-api.ts'
import { ViewFrame } from '../app/view-frame.tsx'
import { useFolder } from '../folders/use-folder.ts'
import { useWords } from '../words/words.ts'
import type { SharedReply } from './share/shared-reply.ts'
import type { KnownProtocol, ReadOptions } from './worker/messages.ts'
// oxlint-disable-next-line import/default -- Vite makes it
import url from './worker/parse-worker.ts?worker&url'
import { useCommands } from '../app/commands.ts'
import type { ParserSearch } from '../app/router.tsx'
import { runTitle, useRecentRuns } from '../app/use-runs.ts'
import { Icon } from '../ui/icon.tsx'
import { Picker } from '../ui/picker.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { Button } from '../ui/button.tsx'

/** The Parser as a view of the page. */
export function ParserView(): ReactNode {
  return (
    <SourcesContext value={serverSources}>
      <ParserPage />
    </SourcesContext>
  )
}

const NONE: readonly KnownProtocol[] = []

/** The Parser's environment in the page: with the tools, protocols and runs of the server. */
const serverSources: ParserSources = {
  startWorker,
  Frame,
  useAddress,
  useTools,
  useOwnProtocols,
  useRecorded,
  readElsewhere,
  RunButton,
  linkTo: (fragment) => `${location.origin}/parser#${fragment}`,
}

function Frame({ actions, children }: FrameProps): ReactNode {
  const { t } = useWords()
  return (
    <ViewFrame title="view.parser" about={t('parser.about')} actions={actions}>
      {children}
    </ViewFrame>
  )
}

/** The number of turns offered for a run: the latest ones. */
const MAX_TURNS = 8

/** A button that selects a reply of a run. */
function RunButton(): ReactNode {
  const { t, date } = useWords()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const runs = useRecentRuns()
  useCommands([
    {
      id: 'parser run',
      label: 'parser.run',
      group: 'here',
      icon: 'chat',
      run: () => setOpen(true),
    },
  ])
  const options = (runs ?? []).flatMap((each) =>
    Array.from({ length: Math.min(each.turns, MAX_TURNS) }, (_, back) => {
      const turn = each.turns - 1 - back
      return {
        value: `${each.run} ${turn}`,
        label: t('chat.turn', { number: turn + 1 }),
        keywords: [runTitle(each, t), each.model ?? ''],
        about: <VisibleText text={each.model ?? ''} />,
        group: `${runTitle(each, t)} · ${date(each.last, { dateStyle: 'medium', timeStyle: 'short' })}`,
      }
    }),
  )
  return (
    <Picker
      label={t('parser.run.find')}
      align="end"
      open={isOpen}
      onOpenChange={setOpen}
      value={undefined}
      options={options}
      onChange={(picked) => {
        const [run = '', turn = '0'] = picked.split(' ')
        void navigate({
          to: '/parser',
          search: ({ folder }: ParserSearch) => ({
            folder,
            run,
            turn: Number(turn),
          }),
        })
      }}
      trigger={
        <Button look="ghost" title={t('parser.run')} aria-label={t('parser.run')}>
          <Icon name="chat" />
          <span className="max-[1281px]:hidden">{t('parser.run')}</span>
        </Button>
      }
    />
  )
}

function useAddress(): ParserAddress {
  const { folder, run, turn, show: tab = 'reading' } = useSearch({ from: '/parser' })
  const own = folder === undefined ? {} : { folder }
  const fragment = useLocation({ select: ({ hash }) => hash })
  const navigate = useNavigate()
  return {
    tab,
    fragment,
    run,
    turn,
    show: (next) =>
      void navigate({
        to: '/parser',
        hash: true,
        search: {
          ...own,
          ...(run !== undefined && { run }),
          ...(turn !== undefined && { turn }),
          ...(next !== 'reading' && { show: next }),
        },
      }),
    forgetText() {
      if (run === undefined && fragment === '') return
      void navigate({
        to: '/parser',
        replace: true,
        search: { ...own, ...(tab !== 'reading' && { show: tab }) },
      })
    },
  }
}

function useTools(): FromServer<readonly ToolDefinition[]> {
  const { folder } = useFolder()
  const { data, error } = useApi(
    'GET /api/tools',
    { query: folder === undefined ? {} : { folder } },
    { staleTime: 60_000 },
  )
  const value = useMemo(
    () => data?.tools.map(({ name, parameters }) => ({ name, parameters })),
    [data],
  )
  return { value, error: error === null ? undefined : errorText(error) }
}

function useOwnProtocols(): readonly KnownProtocol[] | undefined {
  const { folder } = useFolder()
  const { data, error } = useApi(
    'GET /api/protocols',
    { query: folder === undefined ? {} : { folder } },
    { staleTime: 60_000 },
  )
  return useMemo(
    () => data?.filter(({ own }) => own) ?? (error === null ? undefined : NONE),
    [data, error],
  )
}

async function readElsewhere(
  text: string,
  { protocol, tools, finish, startsInReasoning }: ReadOptions,
  signal: AbortSignal,
): Promise<Reply> {
  const folder = new URLSearchParams(location.search).get('folder') ?? undefined
  const { reply } = await client.request('POST /api/parse', {
    body: {
      text,
      protocols: [protocol.replace(/^own:/, '')],
      finish,
      startsInReasoning,
      tools,
      folder,
    },
    signal,
  })
  return reply
}

function useRecorded(run: string | undefined, turn: number | undefined): FromServer<SharedReply> {
  const enabled = run !== undefined
  const parameters = { run: run ?? '', turn: String(turn ?? 0) }
  const recorded = useApi(
    'GET /api/runs/:run/turns/:turn',
    { parameters },
    { enabled, staleTime: Infinity },
  )
  const about = useApi('GET /api/runs/:run', { parameters: { run: run ?? '' } }, { enabled })
  const protocol = about.data?.summary.protocol
  const { data } = recorded
  const value = useMemo(
    (): SharedReply | undefined =>
      (data &&
        !about.isPending && {
          text: data.content,
          finish: data.finish,
          protocol: protocol !== undefined && protocol !== 'native' ? protocol : undefined,
          startsInReasoning: data.prefill?.includes('<think>') ? true : undefined,
          ...(data.prompt &&
            data.prompt.tools.length > 0 && {
              tools: data.prompt.tools as readonly ToolDefinition[],
            }),
        }) ||
      undefined,
    [data, protocol, about.isPending],
  )
  return { value, error: recorded.error === null ? undefined : errorText(recorded.error) }
}

/** Starts the parsing worker from a file of the server. */
function startWorker(): Worker {
  // In development it has imports; built, it is one file, as its content security policy requires.
  return new Worker(trustedUrl(url), { type: import.meta.env.DEV ? 'module' : 'classic' })
}
