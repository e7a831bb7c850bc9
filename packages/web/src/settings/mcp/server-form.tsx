import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { Segments } from '../../ui/segments.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { errorText } from '../../app/use-api.ts'
import { ownValue } from '../place-text.tsx'
import { useChangeSettings, useSettings } from '../use-settings.ts'
import {
  type DraftFault,
  draftOf,
  EMPTY_DRAFT,
  faultsOf,
  type ServerDraft,
  serverOf,
  withServer,
} from './server-draft.ts'
import { SaveOrCancel } from '../page-frame.tsx'

type Servers = Readonly<Record<string, unknown>>

/** Adds a server to the user's own settings, or changes one. */
export function ServerForm({
  name,
  onDone,
}: {
  /** The server to change. If missing, a new one is added. */
  readonly name?: string
  readonly onDone: () => void
}): ReactNode {
  const { t } = useWords()
  const toast = useToast()
  const change = useChangeSettings()
  const { data: settings } = useSettings()
  const own = ((settings && ownValue(settings, 'mcpServers')) ?? {}) as Servers
  const [draft, setDraft] = useState<ServerDraft>(() =>
    name === undefined ? EMPTY_DRAFT : draftOf(name, own[name]),
  )
  const [isChecked, setChecked] = useState(false)
  const others = Object.keys(own).filter((other) => other !== name)
  const faults = isChecked ? faultsOf(draft, others) : []
  const set = (changed: Partial<ServerDraft>): void => {
    setDraft({ ...draft, ...changed })
    change.reset()
  }
  const save = (): void => {
    setChecked(true)
    if (faultsOf(draft, others).length > 0) return
    change.mutate(
      {
        key: 'mcpServers',
        value(now) {
          const servers = (ownValue(now, 'mcpServers') ?? {}) as Servers
          const server = serverOf(draft, name === undefined ? undefined : servers[name])
          return withServer(servers, name, { name: draft.name.trim(), server })
        },
      },
      {
        onSuccess() {
          toast({ title: t('settings.saved'), text: draft.name.trim() })
          onDone()
        },
      },
    )
  }
  const field = (key: TextKey, options: { readonly isLong?: boolean; readonly hint: string }) => (
    <TextField
      name={key}
      value={draft[key]}
      fault={faults.find((fault) => fault.field === key)}
      onChange={(value) => set({ [key]: value })}
      {...options}
    />
  )
  return (
    <form
      className="form card px-3.5 py-3"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      {field('name', { hint: 'notes' })}
      <Segments
        label={t('settings.mcp.kind')}
        value={draft.kind}
        onChange={(kind) => set({ kind })}
        options={[
          { value: 'command', label: t('settings.mcp.kind.command') },
          { value: 'url', label: t('settings.mcp.kind.url') },
        ]}
      />
      {draft.kind === 'command' ? (
        <>
          {field('command', { hint: 'npx' })}
          {field('args', { hint: '-y\n@example/notes-server', isLong: true })}
          {field('env', { hint: 'TOKEN=${NOTES_TOKEN}', isLong: true })}
        </>
      ) : (
        <>
          {field('url', { hint: 'https://example.com/mcp' })}
          {field('headers', { hint: 'Authorization: Bearer ${NOTES_TOKEN}', isLong: true })}
        </>
      )}
      <div className="cluster">
        <Switch
          checked={!draft.disabled}
          onChange={(isOn) => set({ disabled: !isOn })}
          label={t('settings.mcp.enabled')}
        />
        <span>{t('settings.mcp.enabled')}</span>
      </div>
      {change.error && (
        <p className="fault" role="alert">
          <VisibleText text={errorText(change.error)} />
        </p>
      )}
      <div className="cluster">
        <SaveOrCancel isDisabled={change.isPending} onCancel={onDone} />
      </div>
    </form>
  )
}

type TextKey = 'name' | 'command' | 'args' | 'env' | 'url' | 'headers'

function TextField({
  name,
  value,
  fault,
  hint,
  isLong = false,
  onChange,
}: {
  readonly name: TextKey
  readonly value: string
  readonly fault: DraftFault | undefined
  readonly hint: string
  readonly isLong?: boolean
  readonly onChange: (value: string) => void
}): ReactNode {
  const { t } = useWords()
  const id = useId()
  const common = {
    id,
    value,
    placeholder: hint,
    spellCheck: false,
    autoComplete: 'off',
    'aria-invalid': fault !== undefined,
    'aria-describedby': `${id}-help`,
  }
  return (
    <div>
      <label htmlFor={id}>{t(`settings.mcp.${name}`)}</label>
      {isLong ? (
        <textarea
          {...common}
          className={`input input-tall ${fault ? 'input-invalid' : ''}`}
          rows={2}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <input
          {...common}
          className={`input ${fault ? 'input-invalid' : ''}`}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      <p id={`${id}-help`} className={fault ? 'fault' : 'help'}>
        {fault ? t(`settings.mcp.fault.${fault.kind}`) : t(`settings.mcp.help.${name}`)}
      </p>
    </div>
  )
}
