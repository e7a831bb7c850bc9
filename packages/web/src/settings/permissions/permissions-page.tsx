import { type ReactNode, useState } from 'react'
import { useApi, errorText } from '../../app/use-api.ts'
import { useFolder } from '../../folders/use-folder.ts'
import { Loaded } from '../../app/loaded.tsx'
import { useSettings, useChangeSettings } from '../use-settings.ts'
import { AddRule } from './add-rule.tsx'
import { ExplainCall } from './explain-call.tsx'
import { RuleTable } from './rule-table.tsx'
import { listRules } from './rules.ts'
import type { PermissionMode } from '@toolglot/permissions'
import { MODES } from '../../compose/choices.ts'
import { AddButton } from '../page-frame.tsx'
import { Segments } from '../../ui/segments.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { PlaceText, effectiveValue, type Settings } from '../place-text.tsx'

/** The allow, ask and deny rules. */
export default function PermissionsPage(): ReactNode {
  const { folder } = useFolder()
  const settings = useSettings()
  const lint = useApi('GET /api/permit/lint', { query: { folder } })
  const [isAdding, setAdding] = useState(false)
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_404px] laptop:grid-cols-[minmax(0,1fr)_352px] tablet:grid-cols-[minmax(0,1fr)_320px] phone:grid-cols-1">
      <div className="pane @container">
        <ModeBar settings={settings.data} isAdding={isAdding} setAdding={setAdding} />
        <div className="pane-content">
          {isAdding && <AddRule onDone={() => setAdding(false)} />}
          <Loaded query={settings}>
            {(loaded) => <RuleTable settings={loaded} rules={listRules(loaded, lint.data)} />}
          </Loaded>
        </div>
      </div>
      <ExplainCall />
    </div>
  )
}

/** The permission mode, which decides about calls without a rule. */
function ModeBar({
  settings,
  isAdding,
  setAdding,
}: {
  readonly settings: Settings | undefined
  readonly isAdding: boolean
  readonly setAdding: (isAdding: boolean) => void
}): ReactNode {
  const { t } = useWords()
  const toast = useToast()
  const change = useChangeSettings()
  const mode = settings?.mode
  const source = settings && effectiveValue(settings, 'permissions.mode')
  const choose = (next: PermissionMode): void =>
    change.mutate(
      { key: 'permissions.mode', value: () => next },
      {
        onSuccess: () =>
          toast({ title: t('settings.mode.saved', { mode: t(`compose.mode.${next}`) }) }),
        onError: (error) =>
          toast({ title: t('settings.notSaved'), text: errorText(error), kind: 'no' }),
      },
    )
  return (
    <div className="toolbar flex-wrap">
      <Segments
        label={t('settings.mode')}
        value={mode ?? 'default'}
        onChange={choose}
        options={MODES.map((value) => ({
          value,
          label: t(`compose.mode.${value}`),
          title: t(`compose.mode.${value}.about`),
          disabled: mode === undefined || change.isPending,
        }))}
      />
      <span className="ml-auto" />
      <AddButton label={t('settings.rule')} {...{ isAdding, setAdding }} />
      {settings && mode !== undefined && (
        <span className="basis-full whitespace-normal text-ink-2">
          {t(`compose.mode.${mode}.about`)}
          {source && (
            <span className="text-ink-3">
              {' · '}
              <PlaceText place={source} settings={settings} />
            </span>
          )}
        </span>
      )}
    </div>
  )
}
