// Folder: The list of tools.
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState, type ReactNode } from 'react'
import { Loaded } from '../app/loaded.tsx'
import type { ToolSearch } from '../app/router.tsx'
import { useApi } from '../app/use-api.ts'
import { ViewFrame } from '../app/view-frame.tsx'
import { useFolder } from '../folders/use-folder.ts'
import { useSettings } from '../settings/use-settings.ts'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../words/words.ts'
import { findTools, type ToolFilter, type ToolOrder } from './find-tools.ts'
import { ListBar } from './list-bar.tsx'
import { ToolDetail } from './tool-detail.tsx'
import { ToolList } from './tool-list.tsx'
import { useToggles } from './use-toggles.ts'
import { useToolCommands } from './use-tool-commands.ts'
import { type PromptChoice, PromptPreview, usePrompt } from './prompt-preview.tsx'
import { readStored, writeStored } from '../app/stored.ts'
import { Chip } from '../ui/chip.tsx'

const NONE: ReadonlyMap<string, number> = new Map()

const USUAL = 'hermes'

const STORED = 'toolglot-tools-protocol'

const NO_SERVERS: readonly never[] = []

/** The tools, their prompts, and which of them are enabled. */
export function ToolsView(): ReactNode {
  const { t } = useWords()
  const { folder, search: inFolder } = useFolder()
  const { tool: selectedName } = useSearch({ strict: false }) as ToolSearch
  const navigate = useNavigate()
  const listed = useApi('GET /api/tools', { query: { folder } })
  const servers = useApi('GET /api/mcp', { query: { folder } }, { enabled: listed.isSuccess })
  const { data: settings } = useSettings()
  const calls = useToolCalls()
  const toggles = useToggles()
  const [protocol, setProtocol] = useProtocolChoice()
  const [search, setSearch] = useState('')
  const [order, setOrder] = useState<ToolOrder>('toolkit')
  const [filter, setFilter] = useState<ToolFilter>('all')
  const tools = useMemo(() => listed.data?.tools ?? [], [listed.data])
  const found = useMemo(
    () => findTools(tools, { search, filter, order, calls: calls ?? new Map() }),
    [tools, search, filter, order, calls],
  )
  const selected = tools.find(({ name }) => name === selectedName)
  const select = (name: string | undefined, { replace = false } = {}): void =>
    void navigate({
      to: '/tools',
      search: { ...inFolder, ...(name !== undefined && { tool: name }) },
      replace,
    })
  const shown = { found, order, selected, select, toggles, settings, search, setSearch }
  const { list, detail, tryTool } = useToolCommands(shown)
  const enabled = tools.filter(toggles.isOn).length
  const prompt = { protocol, setProtocol, version: listed.dataUpdatedAt }
  return (
    <ViewFrame
      title="view.tools"
      className="grid-cols-[minmax(0,1fr)_440px] laptop:grid-cols-[minmax(0,1fr)_400px] tablet:grid-cols-[minmax(0,1fr)_340px] phone:grid-cols-1"
      about={
        listed.data && (
          <span className="tabular-nums">{t('tools.about', { enabled, total: tools.length })}</span>
        )
      }
      actions={
        <>
          {listed.data && <PromptSize protocol={protocol} version={listed.dataUpdatedAt} />}
          <Link
            to="/settings/{-$page}"
            params={{ page: 'mcp' }}
            search={inFolder}
            className="button phone:hidden!"
          >
            <Icon name="plug" />
            <span>{t('tools.addServer')}</span>
          </Link>
        </>
      }
    >
      <div
        className={`pane grid grid-rows-[auto_minmax(0,1fr)] overflow-hidden [&>[role=status]]:mx-4 [&>[role=status]]:my-3.5 [&>[role=status]]:self-start ${selectedName === undefined ? '' : 'phone:hidden'}`}
      >
        <ListBar
          {...{ search, setSearch, order, setOrder, filter, setFilter }}
          total={tools.length}
          hasCalls={calls !== undefined && calls.size > 0}
        />
        <Loaded query={listed}>
          {({ tools: all, warnings }) => (
            <ToolList
              handle={list}
              {...{ all, found, order, warnings, select, toggles, calls, settings }}
              onTry={tryTool}
              isSearching={search !== '' || filter !== 'all'}
              servers={servers.data?.servers ?? (servers.isError ? NO_SERVERS : undefined)}
              selected={selectedName}
              onClear={() => {
                setSearch('')
                setFilter('all')
              }}
            />
          )}
        </Loaded>
      </div>
      {selectedName === undefined ? (
        <PromptPane {...prompt} />
      ) : (
        <ToolDetail
          key={selectedName}
          ref={detail}
          tool={selected}
          name={selectedName}
          isLoading={listed.isPending}
          {...{ toggles, settings, prompt }}
          onBack={() => select(undefined)}
        />
      )}
    </ViewFrame>
  )
}

/** Shown beside the list while no tool is selected: the prompt for all tools. */
function PromptPane(prompt: PromptChoice): ReactNode {
  const { t } = useWords()
  return (
    <div className="pane phone:hidden">
      <div className="pane-content">
        <p className="text-ink-2">{t('tools.choose')}</p>
        <PromptPreview prompt={prompt} />
      </div>
    </div>
  )
}

/** The number of tokens that the enabled tools add to every prompt. */
function PromptSize({
  protocol,
  version,
}: {
  readonly protocol: string
  readonly version: number
}): ReactNode {
  const { t, number } = useWords()
  const { data } = usePrompt({ protocol, version })
  if (!data) return null
  const tokens = number(data.tokens, { notation: 'compact', maximumSignificantDigits: 2 })
  return (
    <Chip
      outline
      className="tabular-nums phone:hidden!"
      title={t('tools.tokens.title', { protocol })}
    >
      {t('tools.tokens', { tokens })}
    </Chip>
  )
}

/** The protocol in which prompts are shown. The choice is remembered. */
function useProtocolChoice(): readonly [string, (protocol: string) => void] {
  const [protocol, setProtocol] = useState(() => readStored(STORED) ?? USUAL)
  const { folder } = useFolder()
  const { data } = useApi(
    'GET /api/protocols',
    { query: { folder } },
    { enabled: protocol !== USUAL, staleTime: 60_000 },
  )
  // Another folder may not have the protocol.
  const isUnknown = data !== undefined && !data.some(({ id }) => id === protocol)
  return [
    isUnknown ? USUAL : protocol,
    (next) => {
      writeStored(STORED, next)
      setProtocol(next)
    },
  ]
}

/**
 * The number of calls by tool name in recorded runs, aliases counted separately; undefined until
 * loaded.
 */
function useToolCalls(): ReadonlyMap<string, number> | undefined {
  const { data, isError } = useApi('GET /api/stats', { query: {} }, { staleTime: 60_000 })
  return useMemo(
    () =>
      data
        ? new Map(data.tools.map(({ name, calls }) => [name, calls]))
        : isError
          ? NONE
          : undefined,
    [data, isError],
  )
}
