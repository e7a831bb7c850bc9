import type { PermissionMode } from '@toolglot/permissions'
import type { ReactNode } from 'react'
import { Picker } from '../ui/picker.tsx'
import { useWords } from '../words/words.ts'
import { MODES } from './choices.ts'
import { PickerButton } from './picker-button.tsx'
import type { PickerProps } from './pickers.tsx'

/** What needs approval. */
export function ModePicker({
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
