import type { ReactNode } from 'react'
import { ModelPicker } from './model-picker.tsx'
import { ProtocolPicker } from './protocol-picker.tsx'
import type { PermissionMode } from '@toolglot/permissions'
import { Picker } from '../ui/picker.tsx'
import { useWords } from '../words/words.ts'
import { MODES } from './choices.ts'
import { PickerButton, type PickerProps } from './picker-button.tsx'

/** The model, the protocol and the permission mode. */
export function Pickers(props: PickerProps): ReactNode {
  return (
    <>
      <ModelPicker {...props} />
      <ProtocolPicker {...props} />
      <ModePicker {...props} />
    </>
  )
}

/** The permission mode. */
function ModePicker({
  compose: { choices, picker },
  change,
  selected: { mode },
  facts,
  isDisabled,
}: PickerProps): ReactNode {
  const { t } = useWords()
  return (
    <Picker<PermissionMode>
      side="top"
      label={t('compose.choose.mode')}
      open={picker === 'mode'}
      onOpenChange={(open) => change({ picker: open ? 'mode' : undefined })}
      value={mode}
      options={MODES.map((value) => ({
        value,
        label: t(`compose.mode.${value}`),
        about: t(`compose.mode.${value}.about`),
        keywords: [t(`compose.mode.${value}`)],
      }))}
      onChange={(next) => change({ choices: { ...choices, mode: next } })}
      trigger={
        <PickerButton
          icon="shield"
          isSecond
          label={t('compose.mode')}
          title={t(`compose.mode.${mode}.about`)}
          isChanged={facts !== undefined && choices.mode !== undefined}
          disabled={isDisabled}
        >
          {t(`compose.mode.${mode}`)}
        </PickerButton>
      }
    />
  )
}
