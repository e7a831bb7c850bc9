import { lazy, Suspense, useMemo, type ReactNode, useState } from 'react'
import { useCommands } from '../app/commands.ts'
import { Segments } from '../ui/segments.tsx'
import { spellUnseen } from '../ui/unseen.ts'
import { useWords } from '../words/words.ts'
import type { Arguments } from './arguments/use-arguments.ts'
import { CopyAs } from './copy/copy-as.tsx'
import { faultText, faultsIn, type Faults } from './form/faults.ts'
import { readParameters } from './form/read-schema.ts'
import { ArgumentNotes, ToolNotes } from './notes.tsx'
import type { ListedTool } from '../tools/listed-tool.ts'
import { keyTexts } from '../app/key-text.ts'
import { isApple } from '../app/keys.tsx'
import { Icon } from '../ui/icon.tsx'
import { errorText } from '../app/use-api.ts'
import { commandOf } from '../approvals/command-of.ts'
import { PartsTable } from '../approvals/parts-table.tsx'
import { RunsAs } from '../approvals/shell-text.tsx'
import { VerdictLine, usePermit, useSettled } from '../settings/permissions/explanation.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { Button } from '../ui/button.tsx'
import { CALL_PANE } from './looks.ts'

const ArgumentsForm = lazy(() => import('./form/arguments-form.tsx'))
const JsonArguments = lazy(() => import('./arguments/json-arguments.tsx'))

/** The form in which arguments are edited. */
export type Mode = 'form' | 'json'

/** No faults, for arguments that were not parsed. */
const NOTHING: Faults = new Map()

/**
 * The call being edited: the tool, its arguments, the permission check, and the call in other
 * notations.
 */
export function CallPane({
  name,
  found,
  warnings,
  picker,
  args,
  folder,
  mode,
  onMode,
  isBusy,
  onRun,
  onStartOver,
}: {
  readonly name: string
  readonly found: { readonly tool: ListedTool | undefined; readonly isAlias: boolean }
  /** Warnings that may explain missing tools. */
  readonly warnings: readonly string[]
  readonly picker: ReactNode
  readonly args: Arguments
  /** Undefined for the server's own. */
  readonly folder: string | undefined
  readonly mode: Mode
  readonly onMode: (mode: Mode) => void
  readonly isBusy: boolean
  readonly onRun: () => void
  readonly onStartOver: () => void
}): ReactNode {
  const { t } = useWords()
  const { draft, setText } = args
  const { value, problem, pieces, version } = draft
  const { tool, isAlias } = found
  const parameters = isAlias ? undefined : tool?.parameters
  const field = useMemo(() => readParameters(parameters), [parameters])
  const faults = useMemo(() => faultsIn(field, value), [field, value])
  const call = useMemo(() => ({ tool: name, args: value, folder }), [name, value, folder])
  const isReady = !problem && faults.size === 0 && (mode === 'json' || pieces.size === 0)
  const run = (): void => {
    if (isReady && !isBusy) onRun()
  }
  useCommands([
    {
      id: 'run call',
      label: 'sandbox.run',
      group: 'here',
      icon: 'play',
      keys: 'mod+Enter',
      run,
    },
  ])
  return (
    <section className={CALL_PANE} aria-label={t('sandbox.call')}>
      <div className="toolbar min-h-[47px] phone:flex-nowrap">
        {picker}
        <span className="min-w-0 flex-1" />
        <Segments
          label={t('sandbox.mode')}
          value={mode}
          onChange={onMode}
          options={[
            { value: 'form', label: t('sandbox.mode.form') },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </div>
      <div className="pane-content flex-1">
        <ToolNotes {...{ name, tool, isAlias, warnings }} />
        <ArgumentNotes draft={draft} mode={mode} onMode={onMode} />
        <Suspense fallback={<Skeleton />}>
          {mode === 'form' ? (
            <ArgumentsForm key={`${name} ${version}`} field={field} faults={faults} args={args} />
          ) : (
            <JsonArguments key={name} draft={draft} onChange={setText} onRun={run} />
          )}
        </Suspense>
        <JsonFaults mode={mode} faults={problem ? NOTHING : faults} />
        <CopyAs call={call} />
        <p className="help wrap-anywhere">
          {t('sandbox.session')}{' '}
          <button
            type="button"
            className="text-link text-ink-2 disabled:opacity-50"
            disabled={isBusy}
            onClick={onStartOver}
          >
            {t('sandbox.session.new')}
          </button>
        </p>
      </div>
      <div className="sticky bottom-0 z-2 grid gap-[9px] border-t border-line bg-bg px-4 pt-2.5 pb-3">
        {!problem && faults.size === 0 && <Verdict tool={name} args={value} />}
        <RunBar {...{ faults, isReady, isBusy }} onRun={run} />
      </div>
    </section>
  )
}

/** The form's messages about each field, for users who edit JSON. */
function JsonFaults({ mode, faults }: { readonly mode: Mode; readonly faults: Faults }): ReactNode {
  const { t } = useWords()
  const [first] = faults
  if (mode === 'form' || !first) return null
  const [place, fault] = first
  return (
    <p className="fault" role="alert">
      <code>{spellUnseen(place.slice(1, 100))}</code>: {faultText(fault, t)}
    </p>
  )
}

const WIDTHS = ['w-2/3', 'w-1/2', 'w-3/5']

function Skeleton(): ReactNode {
  const { t } = useWords()
  return (
    <div className="grid gap-3" role="status" aria-label={t('shell.loading')}>
      {WIDTHS.map((width) => (
        <div key={width} className={`skeleton ${width}`} />
      ))}
    </div>
  )
}

/** Runs the call, or shows why it cannot run. */
function RunBar({
  faults,
  isReady,
  isBusy,
  onRun,
}: {
  readonly faults: Faults
  readonly isReady: boolean
  readonly isBusy: boolean
  readonly onRun: () => void
}): ReactNode {
  const { t } = useWords()
  const missing = [...faults].flatMap(([place, { type }]) =>
    type === 'required' ? [spellUnseen(place.slice(1, 60))] : [],
  )
  const about =
    missing.length > 0
      ? t('sandbox.run.missing', { names: missing.slice(0, 5).join(', ') })
      : isReady
        ? t('sandbox.run.about')
        : t('sandbox.run.wrong')
  return (
    <div className="cluster">
      <Button look="primary" disabled={!isReady || isBusy} onClick={onRun}>
        <Icon name="play" />
        {t('sandbox.run')}
        <kbd>{keyTexts('mod+Enter', isApple).join(isApple ? '' : ' ')}</kbd>
      </Button>
      <span className="text-ink-2" role="status">
        {isBusy ? t('sandbox.run.busy') : about}
      </span>
    </div>
  )
}

/** Shows whether the call would be allowed, updated while it is edited. Nothing is executed. */
function Verdict({
  tool,
  args,
}: {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}): ReactNode {
  const { t } = useWords()
  const settled = useSettled(args, 250)
  const explained = usePermit({ tool, arguments: settled })
  const [active, setActive] = useState<readonly number[]>([])
  if (explained.error)
    return (
      <p className="fault" role="alert">
        <VisibleText text={errorText(explained.error)} />
      </p>
    )
  if (!explained.data)
    return (
      <div className="verdict border-line bg-transparent" role="status">
        <span className="text-ink-2">{t('sandbox.verdict.loading')}</span>
      </div>
    )
  const { decision } = explained.data
  const found = commandOf(settled, decision)
  const command = typeof found === 'object' ? found.text : undefined
  return (
    <div className="grid max-h-[32vh] min-w-0 gap-2 overflow-auto">
      <VerdictLine decision={decision} />
      {decision.parts.length > 1 && (
        <PartsTable parts={decision.parts} whole={command} active={active} onActive={setActive} />
      )}
      <RunsAs decision={decision} height="max-h-[20vh]" />
    </div>
  )
}
