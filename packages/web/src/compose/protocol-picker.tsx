import type { ReactNode } from 'react'
import { useApi } from '../app/use-api.ts'
import { Picker } from '../ui/picker.tsx'
import type { PickerOption } from '../ui/picker-list.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { type Translate, useWords } from '../words/words.ts'
import { shortName } from './choices.ts'
import { PickerButton, type PickerProps } from './picker-button.tsx'
import type { ApiAnswer } from '@toolglot/server/client'

/** Selects the protocol. */
export function ProtocolPicker({
  compose: { choices, picker },
  change,
  selected: { protocol, auto, model, isScript },
  facts,
  folder,
  isDisabled,
}: PickerProps): ReactNode {
  const { t } = useWords()
  const isOpen = picker === 'protocol'
  const where = facts?.folder ?? folder
  const { data = [] } = useApi(
    'GET /api/protocols',
    { query: where === undefined ? {} : { folder: where } },
    { enabled: isOpen, staleTime: 60_000 },
  )
  const name = isScript ? t('compose.script') : shortName(model ?? '')
  const aboutAuto =
    auto === undefined
      ? t('compose.protocol.auto.unknown')
      : t(`compose.protocol.auto.${auto.by}`, { model: name, protocol: auto.protocol })
  const options: readonly PickerOption[] = [
    { value: 'auto', label: t('compose.protocol.auto'), about: aboutAuto },
    {
      value: 'native',
      label: t('compose.protocol.native'),
      about: t('compose.protocol.native.about'),
    },
    ...data.map((each) => protocolOption(each, t)),
  ]
  const id = protocol === 'auto' ? (auto?.protocol ?? 'auto') : protocol
  const shown = id === 'auto' || id === 'native' ? t(`compose.protocol.${id}` as const) : id
  return (
    <Picker
      side="top"
      label={t('compose.protocol.find')}
      open={isOpen}
      onOpenChange={(open) => change({ picker: open ? 'protocol' : undefined })}
      value={protocol}
      options={options}
      onChange={(next) => change({ choices: withProtocol(choices, next, facts !== undefined) })}
      trigger={
        <PickerButton
          icon="parser"
          isSecond
          label={t('compose.protocol')}
          title={protocol === 'auto' ? aboutAuto : t('compose.protocol.title', { protocol: shown })}
          isChanged={facts !== undefined && choices.protocol !== undefined}
          disabled={isDisabled}
        >
          <span className={shown === id ? 'font-mono' : ''}>
            <VisibleText text={shown} />
          </span>
        </PickerButton>
      }
    />
  )
}

/**
 * For a new chat, `auto` is the same as no choice; for a run, it may differ from the run's
 * protocol.
 */
function withProtocol(
  choices: PickerProps['compose']['choices'],
  protocol: string,
  isRun: boolean,
): PickerProps['compose']['choices'] {
  const { protocol: _, ...others } = choices
  return protocol === 'auto' && !isRun ? others : { ...others, protocol }
}

/** The picker option of a protocol. */
export function protocolOption(
  { id, about, own }: ApiAnswer<'GET /api/protocols'>[number],
  t: Translate,
): PickerOption {
  return {
    value: id,
    label: (
      <span className="font-mono">
        <VisibleText text={id} />
      </span>
    ),
    about: <VisibleText text={about} />,
    keywords: [about],
    group: own ? t('compose.protocol.own') : t('compose.protocol.builtIn'),
  }
}
