// Folder: Recorded runs: list, search and details.
import { CatchBoundary, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef, type ReactNode, type DragEvent } from 'react'
import { useCommands } from '../app/commands.ts'
import { listKeys } from '../app/list-keys.ts'
import type { RunsSearch } from '../app/router.tsx'
import { ViewFrame } from '../app/view-frame.tsx'
import { useWords } from '../words/words.ts'
import { NoRun } from './detail/no-run.tsx'
import { RunDetail } from './detail/run-detail.tsx'
import { RunList, type RunListHandle } from './list/run-list.tsx'
import { FILTERS, SearchBar } from './list/search-bar.tsx'
import { useRunPages } from './list/use-run-pages.ts'
import { withoutSelection } from './selection.ts'
import { ApiError } from '@toolglot/server/client'
import { errorText, useDo } from '../app/use-api.ts'
import { Icon } from '../ui/icon.tsx'
import { useToast } from '../ui/toasts.tsx'
import { Button } from '../ui/button.tsx'
import { NO_RUN } from './run-looks.ts'

/** Recorded runs: a searchable list, and the details of one run. */
export function RunsView(): ReactNode {
  const { t, number } = useWords()
  const { run } = useParams({ strict: false })
  const search: RunsSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const list = useRef<RunListHandle>(null)
  const pages = useRunPages(search)
  const onFile = useImport()
  const isFiltered =
    search.search !== undefined || FILTERS.some((name) => search[name] !== undefined)
  useCommands([
    ...listKeys('runs', { next: 'runs.key.next', previous: 'runs.key.previous' }, (by) =>
      list.current?.move(by),
    ),
    ...(run === undefined || search.at !== undefined
      ? []
      : [
          {
            id: 'runs.back',
            label: 'runs.key.back',
            group: 'here',
            keys: 'Escape',
            run: () => void navigate({ to: '/runs', search: withoutSelection(search) }),
          } as const,
        ]),
  ])
  return (
    <ViewFrame
      title="view.runs"
      className="grid-cols-[312px_minmax(0,1fr)] laptop:grid-cols-[268px_minmax(0,1fr)] tablet:grid-cols-[232px_minmax(0,1fr)] phone:grid-cols-1"
      about={pages.total === undefined ? undefined : t('runs.kept', { count: number(pages.total) })}
      actions={<ImportButton onFile={onFile} />}
    >
      <div
        className={`flex min-h-0 min-w-0 flex-col ${run === undefined ? '' : 'phone:hidden'}`}
        {...dropProps(onFile)}
      >
        <SearchBar search={search} runs={pages.runs} />
        <RunList {...{ pages, search, isFiltered }} shown={run} handle={list} />
      </div>
      {run === undefined ? (
        <div className={`${NO_RUN} phone:hidden`} {...dropProps(onFile)}>
          <div className="empty max-w-[420px]">
            <b>{t('runs.choose')}</b>
            <p className="text-ink-2">{t('runs.choose.about')}</p>
          </div>
        </div>
      ) : (
        // A run that cannot be drawn can still be deleted, and the list keeps working.
        <CatchBoundary
          getResetKey={() => run}
          errorComponent={({ error }) => (
            <NoRun
              {...{ run, search }}
              error={error instanceof Error ? error : new Error(String(error))}
            />
          )}
        >
          <RunDetail key={run} run={run} search={search} />
        </CatchBoundary>
      )}
    </ViewFrame>
  )
}

/** The server's limit, in bytes. */
const MAX_SIZE = 60 << 20

/** Returns a function that imports exported runs from a file. */
function useImport(): (file: File | undefined) => void {
  const { t, number } = useWords()
  const toast = useToast()
  const navigate = useNavigate()
  const { mutate } = useDo('POST /api/runs/import', ['GET /api/runs'])
  const fail = (text: string): void => {
    toast({ title: t('runs.import.failed'), text, kind: 'no' })
  }
  return (file) => {
    if (!file) return
    if (file.size > MAX_SIZE)
      return fail(t('runs.import.large', { size: number(MAX_SIZE / (1 << 20)) }))
    file.text().then(
      (lines) =>
        mutate(
          { body: { lines } },
          {
            onSuccess({ runs }) {
              toast({
                title: t('runs.import.done', { count: runs.length }),
                text: t('runs.import.done.about'),
              })
              const [run] = runs
              if (run !== undefined)
                void navigate({ to: '/runs/$run', params: { run }, search: {} })
            },
            onError: (error) => fail(explain(error, t('runs.import.version'))),
          },
        ),
      (error: unknown) => fail(String(error)),
    )
  }
}

/** The server's message about the file with its advice. */
function explain(error: Error, aboutVersion: string): string {
  if (!(error instanceof ApiError)) return errorText(error)
  const isVersion = /reads version \d/.test(error.detail)
  return [error.detail, isVersion ? aboutVersion : error.action].filter(Boolean).join('\n')
}

/** A button that selects a file to import. */
function ImportButton({
  onFile,
}: {
  readonly onFile: (file: File | undefined) => void
}): ReactNode {
  const { t } = useWords()
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={field}
        type="file"
        accept=".jsonl,.ndjson,.json,.txt"
        className="hidden"
        aria-label={t('runs.import.file')}
        onChange={({ target }) => {
          onFile(target.files?.[0])
          target.value = ''
        }}
      />
      <Button
        look="ghost"
        title={t('runs.import.about')}
        aria-label={t('runs.import')}
        onClick={() => field.current?.click()}
      >
        <Icon name="export" />
        <span>{t('runs.import')}</span>
      </Button>
    </>
  )
}

/** Event handlers that accept a file dropped anywhere in the view. */
function dropProps(onFile: (file: File | undefined) => void): {
  readonly onDragOver: (event: DragEvent) => void
  readonly onDrop: (event: DragEvent) => void
} {
  const hasFile = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files')
  return {
    onDragOver(event) {
      if (hasFile(event)) event.preventDefault()
    },
    onDrop(event) {
      if (!hasFile(event)) return
      event.preventDefault()
      onFile(event.dataTransfer.files[0])
    },
  }
}
