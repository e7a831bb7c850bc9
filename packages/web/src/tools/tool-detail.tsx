import { Link } from '@tanstack/react-router'
import { type Ref, useState, type ReactNode } from 'react'
import { useFolder } from '../folders/use-folder.ts'
import { type Settings, PlaceText } from '../settings/place-text.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { LongText } from '../ui/long-text.tsx'
import { Segments } from '../ui/segments.tsx'
import { spellUnseen } from '../ui/unseen.ts'
import { Switch } from '../ui/switch.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import type { ListedTool } from './listed-tool.ts'
import { ParameterTable } from './parameter-table.tsx'
import { type PromptChoice, PromptPreview } from './prompt-preview.tsx'
import { isTurnable } from './tool-card.tsx'
import { ToolFacts, ToolRules } from './tool-facts.tsx'
import { type ToolProps, ToolVerdictChip } from './tool-verdict-chip.tsx'
import type { Toggles } from './use-toggles.ts'
import { Banner } from '../ui/banner.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Button } from '../ui/button.tsx'

/** All details of a tool. */
export function ToolDetail({
  tool,
  name,
  isLoading,
  toggles,
  settings,
  prompt,
  onBack,
  ref,
}: {
  /** Undefined if there is no tool with this name. */
  readonly tool: ListedTool | undefined
  readonly name: string
  readonly isLoading: boolean
  readonly toggles: Toggles
  readonly settings: Settings | undefined
  readonly prompt: PromptChoice
  readonly onBack: () => void
  readonly ref: Ref<HTMLDivElement>
}): ReactNode {
  const { t } = useWords()
  const { search } = useFolder()
  const label = spellUnseen(name).slice(0, 200)
  return (
    <div className="pane" ref={ref} tabIndex={-1} role="region" aria-label={label}>
      <div className="toolbar">
        <button
          type="button"
          className="icon-button icon-button-small hidden phone:inline-grid"
          aria-label={t('tools.back')}
          onClick={onBack}
        >
          <Icon name="right" className="-scale-x-100" />
        </button>
        <h2 className="min-w-0 truncate font-mono text-[13.5px] font-620" title={label}>
          <VisibleText text={name.slice(0, 200)} />
        </h2>
        {tool && <ToolVerdictChip tool={tool} settings={settings} />}
        <span className="min-w-0 flex-1" />
        {tool && (
          <>
            <Switch
              label={t('tools.switch', { name: label })}
              checked={toggles.isOn(tool)}
              disabled={!isTurnable(tool, settings)}
              onChange={(isOn) => toggles.toggle(tool, isOn)}
            />
            <Link
              to="/sandbox"
              search={{ ...search, tool: name }}
              className="button button-primary flex-none"
              title={t('tools.try.title')}
            >
              <Icon name="sandbox" />
              {t('tools.try')}
              <kbd className="phone:hidden!">⏎</kbd>
            </Link>
          </>
        )}
        <IconButton icon="x" label={t('tools.close')} className="phone:hidden!" onClick={onBack} />
      </div>
      {tool ? (
        <Details {...{ tool, toggles, settings, prompt }} />
      ) : (
        <div className="pane-content">
          {isLoading ? (
            <div className="skeleton w-2/3" />
          ) : (
            <div className="empty">
              <b>{t('tools.missing')}</b>
              <Button onClick={onBack}>{t('tools.back')}</Button>
            </div>
          )}
        </div>
      )}
    </div>
  )
}

function Details({
  tool,
  toggles,
  settings,
  prompt,
}: {
  readonly tool: ListedTool
  readonly toggles: Toggles
  readonly settings: Settings | undefined
  readonly prompt: PromptChoice
}): ReactNode {
  const { t } = useWords()
  const [view, setView] = useState<'table' | 'schema'>('table')
  const schema = (): string => JSON.stringify(tool.parameters, null, 2)
  return (
    <div className="pane-content">
      {!toggles.isOn(tool) && <ToolOff tool={tool} settings={settings} />}
      <LongText
        text={tool.description}
        className="wrap-anywhere whitespace-pre-wrap text-ink-2 [font:inherit]"
      />
      <ToolFacts tool={tool} />
      {settings && <ToolRules tool={tool} settings={settings} />}
      <section className="grid min-w-0 gap-[7px]">
        <div className="cluster">
          <h3 className="font-580">{t('tools.parameters')}</h3>
          <span className="min-w-0 flex-1" />
          <Segments
            label={t('tools.view')}
            value={view}
            onChange={setView}
            options={[
              { value: 'table', label: t('tools.view.table') },
              { value: 'schema', label: t('tools.view.schema') },
            ]}
          />
          <CopyButton text={schema} label={t('tools.copySchema')} />
        </div>
        {view === 'table' ? (
          <ParameterTable schema={tool.parameters} />
        ) : (
          <LongText
            text={schema()}
            className="wire max-h-[280px] min-w-0 overflow-auto"
            label={t('tools.view.schema')}
          />
        )}
      </section>
      <PromptPreview tool={tool} prompt={prompt} />
    </div>
  )
}

/** Shows that a tool is disabled, and the setting that disables it with its location. */
function ToolOff({ tool, settings }: ToolProps): ReactNode {
  const { t } = useWords()
  const { disabledBy } = tool
  return (
    <Banner icon="slash">
      {t('tools.off')}{' '}
      {disabledBy && settings && (
        <>
          {t('tools.off.by', { key: disabledBy.key })}{' '}
          <PlaceText place={disabledBy} settings={settings} />
          <br />
        </>
      )}
      {isTurnable(tool, settings) ? t('tools.running') : t('tools.off.elsewhere')}
    </Banner>
  )
}
