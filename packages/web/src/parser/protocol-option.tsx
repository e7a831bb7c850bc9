import { memo, type ReactNode, type ComponentProps } from 'react'
import { Picker } from '../ui/picker.tsx'
import type { PickerOption } from '../ui/picker-list.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { changeParser, drawnNow, type ParserState } from './parser-store.ts'
import type { KnownProtocols } from './use-protocols.ts'
import type { KnownProtocol } from './worker/messages.ts'
import { Icon } from '../ui/icon.tsx'

/**
 * Selects the protocol for the reply: all at once, one of the built-in or the user's own, or the
 * drawn one.
 */
export const ProtocolOption = memo(function ProtocolOption({
  state,
  known: { builtIn, own },
}: {
  readonly state: ParserState
  readonly known: KnownProtocols
}): ReactNode {
  const { t } = useWords()
  const { protocol } = state
  const options: readonly PickerOption[] = [
    { value: 'auto', label: t('parser.protocol.auto'), about: t('parser.protocol.auto.about') },
    ...(drawnNow(state).trim() === ''
      ? []
      : [
          {
            value: 'drawn',
            label: t('parser.protocol.drawn'),
            about: t('parser.protocol.drawn.about'),
          },
        ]),
    ...own.map((each) => optionOf(each, `own:${each.id}`, t('parser.protocol.own'))),
    ...builtIn.map((each) => optionOf(each, each.id, t('parser.protocol.builtIn'))),
  ]
  return (
    <Picker
      label={t('parser.protocol.find')}
      options={options}
      value={protocol}
      onChange={(next) => changeParser({ protocol: next })}
      trigger={
        <OptionButton
          label={t('parser.protocol')}
          className="in-data-beside:hidden"
          data-protocol={protocol}
        >
          <ProtocolName id={protocol} />
        </OptionButton>
      }
    />
  )
})

/** The name of a protocol; translated for `auto` and `drawn`. */
export function ProtocolName({ id }: { readonly id: string }): ReactNode {
  const { t } = useWords()
  if (id === 'auto' || id === 'drawn') return t(`parser.protocol.${id}`)
  return (
    <span className="font-mono">
      <VisibleText text={id.replace(/^own:/, '')} />
    </span>
  )
}

function optionOf({ id, about }: KnownProtocol, value: string, group: string): PickerOption {
  return {
    value,
    label: <ProtocolName id={id} />,
    about: <VisibleText text={about} />,
    keywords: [about],
    group,
  }
}

/** The button of an option, with its label and current value. */
export function OptionButton({
  label,
  className = '',
  children,
  ...rest
}: ComponentProps<'button'> & { readonly label: string }): ReactNode {
  return (
    <button type="button" {...rest} className={`picker-button ${className}`}>
      <span className="text-ink-2">{label}</span>
      <span className="cluster min-w-0 truncate">{children}</span>
      <Icon name="down" />
    </button>
  )
}
