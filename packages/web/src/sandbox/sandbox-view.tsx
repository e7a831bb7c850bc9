// Folder: The executor's view: a form for each tool.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useClient } from '@toolglot/react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useCommands } from '../app/commands.ts'
import { Loaded } from '../app/loaded.tsx'
import { useApi } from '../app/use-api.ts'
import { ViewFrame } from '../app/view-frame.tsx'
import { useFolder } from '../folders/use-folder.ts'
import { Icon } from '../ui/icon.tsx'
import { Popover } from '../ui/popover.tsx'
import { useToast } from '../ui/toasts.tsx'
import { useWords } from '../words/words.ts'
import { draftKey, drafts, withGiven } from './arguments/drafts.ts'
import { useArguments } from './arguments/use-arguments.ts'
import { CallPane, type Mode } from './call-pane.tsx'
import type { PastRun } from './history/history.ts'
import { HistoryList } from './history/history-list.tsx'
import { executeCall, resumeCall } from './run/execute.ts'
import { ResultPane } from './run/result-pane.tsx'
import { changeSession, clearHistory, sessions, startOver } from './run/session.ts'
import { ToolPicker } from './tool-picker.tsx'
import type { ListedTool } from '../tools/listed-tool.ts'
import { VisibleText } from '../ui/visible-text.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { CALL_PANE } from './looks.ts'

/** Runs a tool as if a model had called it. */
export function SandboxView(): ReactNode {
  const { t } = useWords()
  const search = useSearch({ from: '/sandbox' })
  const navigate = useNavigate()
  const client = useClient()
  const toast = useToast()
  const { folder, path, search: inFolder } = useFolder()
  const key = path ?? ''
  const tools = useApi('GET /api/tools', { query: { folder } }, { staleTime: 60_000 })
  const session = sessions.use(key)
  const args = useArguments(key, search)
  const [mode, setMode] = useState<Mode>('form')
  const [isPicking, setPicking] = useState(false)
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  const result = useRef<HTMLDivElement>(null)
  const { tool: name } = search
  const { current, shown, history } = session

  const pick = (tool: string): void => {
    void navigate({ to: '/sandbox', search: { ...inFolder, tool } })
  }
  const run = (): void => {
    if (name === undefined) return
    args.markChecked()
    void executeCall(client, { key, folder }, { tool: name, args: args.draft.value })
  }
  const restore = (past: PastRun): void => {
    setHistoryOpen(false)
    const text = JSON.stringify(past.args)
    const of = draftKey(key, past.tool)
    drafts.set(of, withGiven(drafts.get(of), text, false))
    if (!current) changeSession(key, { shown: past, error: undefined })
    if (past.tool !== name) pick(past.tool)
  }
  useEffect(() => {
    if (path !== undefined) void resumeCall(client, key)
  }, [client, key, path])
  // In one column, the result is out of view.
  const latest = current?.id ?? shown?.id
  const seen = useRef(latest)
  useEffect(() => {
    if (latest === seen.current) return
    seen.current = latest
    if (latest !== undefined && matchMedia('(max-width: 720px)').matches)
      result.current?.scrollIntoView({ block: 'start' })
  }, [latest])

  useCommands([
    {
      id: 'choose tool',
      label: 'sandbox.tool.choose',
      group: 'here',
      icon: 'tools',
      keys: 't',
      run: () => setPicking(true),
    },
    ...(name === undefined
      ? []
      : ([
          {
            id: 'other mode',
            label: mode === 'form' ? 'sandbox.mode.toJson' : 'sandbox.mode.toForm',
            group: 'here',
            icon: 'edit',
            run: () => setMode(mode === 'form' ? 'json' : 'form'),
          },
        ] as const)),
    ...(current
      ? ([
          { id: 'stop call', label: 'shell.stop', group: 'here', icon: 'stop', run: current.stop },
        ] as const)
      : []),
  ])

  const list = (
    <HistoryList
      runs={history}
      shown={shown?.id}
      onPick={restore}
      onClear={() => clearHistory(key)}
    />
  )
  return (
    <ViewFrame
      title="view.sandbox"
      about={t('sandbox.about')}
      className="grid-cols-[236px_minmax(0,1fr)_minmax(0,1.05fr)] *:min-h-0 *:min-w-0 laptop:grid-cols-[204px_minmax(0,1fr)_minmax(0,1.05fr)] tablet:grid-cols-2 phone:block phone:overflow-auto"
      actions={
        <Popover
          label={t('sandbox.history')}
          open={isHistoryOpen}
          onOpenChange={setHistoryOpen}
          align="end"
          className="max-h-[min(70vh,560px)]! w-80 p-0"
          trigger={
            <IconButton
              icon="clock"
              label={t('sandbox.history')}
              large
              className="hidden max-[1081px]:inline-grid"
            />
          }
        >
          {list}
        </Popover>
      }
    >
      <section className="pane max-[1081px]:hidden" aria-label={t('sandbox.history')}>
        {list}
      </section>
      {tools.data === undefined ? (
        <section className={CALL_PANE} aria-label={t('sandbox.call')}>
          <div className="pane-content flex-1">
            <Loaded query={tools}>{() => null}</Loaded>
          </div>
        </section>
      ) : name === undefined ? (
        <NoTool
          tools={tools.data.tools}
          history={history}
          onPick={pick}
          picker={
            <ToolPicker
              tools={tools.data.tools}
              tool={undefined}
              open={isPicking}
              onOpenChange={setPicking}
              onPick={pick}
            />
          }
        />
      ) : (
        <CallPane
          {...{ name, args, folder, mode }}
          found={findTool(tools.data.tools, name)}
          warnings={tools.data.warnings}
          picker={
            <ToolPicker
              tools={tools.data.tools}
              tool={name}
              open={isPicking}
              onOpenChange={setPicking}
              onPick={pick}
            />
          }
          onMode={setMode}
          isBusy={current !== undefined}
          onRun={run}
          onStartOver={() => {
            startOver(key)
            toast({ title: t('sandbox.session.started') })
          }}
        />
      )}
      <div className="grid border-l border-line phone:border-t phone:border-l-0" ref={result}>
        <ResultPane session={session} />
      </div>
    </ViewFrame>
  )
}

/** Finds a tool by its name or an alias. */
function findTool(
  tools: readonly ListedTool[],
  name: string,
): { readonly tool: ListedTool | undefined; readonly isAlias: boolean } {
  const tool = tools.find((each) => each.name === name)
  if (tool) return { tool, isAlias: false }
  const other = tools.find(({ aliases }) => aliases.includes(name))
  return { tool: other, isAlias: other !== undefined }
}

/** The tools that users usually try first. */
const USUAL = ['Read', 'Grep', 'Bash', 'Glob', 'Edit', 'WebFetch']
const COUNT = 6

/** Shown before a tool is chosen: the tools used last, or common ones. */
function NoTool({
  tools,
  history,
  picker,
  onPick,
}: {
  readonly tools: readonly ListedTool[]
  readonly history: readonly PastRun[]
  readonly picker: ReactNode
  readonly onPick: (tool: string) => void
}): ReactNode {
  const { t } = useWords()
  const known = new Map(tools.map((tool) => [tool.name, tool]))
  const wanted = [...history.map(({ tool }) => tool), ...USUAL, ...known.keys()]
  const suggested = [...new Set(wanted)].filter((name) => known.has(name)).slice(0, COUNT)
  return (
    <section className={CALL_PANE} aria-label={t('sandbox.call')}>
      <div className="toolbar min-h-[47px] phone:flex-nowrap">{picker}</div>
      <div className="pane-content flex-1">
        <p className="text-ink-2">{t('sandbox.empty')}</p>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,220px),1fr))] gap-2">
          {suggested.map((name) => (
            <button
              key={name}
              type="button"
              className="grid min-w-0 gap-0.5 rounded-lg border border-line bg-panel px-[11px] py-[9px] text-left transition-[border-color] hover:border-line-2"
              onClick={() => onPick(name)}
            >
              <span className="flex items-center gap-[7px] font-mono text-[12.5px] font-600">
                <Icon name="tools" className="size-[13px] text-ink-3" />
                <VisibleText text={name} />
              </span>
              <span className="min-w-0 truncate text-12 text-ink-2">
                <VisibleText text={known.get(name)!.description.slice(0, 90)} />
              </span>
            </button>
          ))}
        </div>
      </div>
    </section>
  )
}
