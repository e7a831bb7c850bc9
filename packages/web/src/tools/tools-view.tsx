import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { Loaded } from '../app/loaded.tsx'
import type { ToolSearch } from '../app/router.tsx'
import { useApi } from '../app/use-api.ts'
import { ViewFrame } from '../app/view-frame.tsx'
import { useFolder } from '../folders/use-folder.ts'
import { useSettings } from '../settings/use-settings.ts'
import '../styles/tools.css'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../words/words.ts'
import { findTools, type ToolFilter, type ToolOrder } from './find-tools.ts'
import { ListBar } from './list-bar.tsx'
import { PromptPane } from './prompt-pane.tsx'
import { PromptSize } from './prompt-size.tsx'
import { ToolDetail } from './tool-detail.tsx'
import { ToolList } from './tool-list.tsx'
import { useProtocolChoice } from './use-protocol-choice.ts'
import { useToggles } from './use-toggles.ts'
import { useToolCalls } from './use-tool-calls.ts'
import { useToolCommands } from './use-tool-commands.ts'

const NO_SERVERS: readonly never[] = []

/** The tools: what there is, what models are told about each, and which of them are on. */
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
  const { list, detail, tryTool } = useToolCommands({
    found,
    order,
    selected,
    select,
    toggles,
    settings,
    search,
    setSearch,
  })
  const enabled = tools.filter(toggles.isOn).length
  const prompt = { protocol, setProtocol, version: listed.dataUpdatedAt }
  return (
    <ViewFrame
      title="view.tools"
      className={`tools-view ${selectedName === undefined ? '' : 'open'}`}
      about={
        listed.data && (
          <span className="num">{t('tools.about', { enabled, total: tools.length })}</span>
        )
      }
      actions={
        <>
          {listed.data && <PromptSize protocol={protocol} version={listed.dataUpdatedAt} />}
          <Link
            to="/settings/{-$page}"
            params={{ page: 'mcp' }}
            search={inFolder}
            className="btn wide-only"
          >
            <Icon name="plug" />
            <span>{t('tools.addServer')}</span>
          </Link>
        </>
      }
    >
      <div className="pane tools-list">
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
