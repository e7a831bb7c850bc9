import type { RunStart } from '@toolglot/react/view'
import type { ReactNode } from 'react'
import type { Compose } from './compose-store.ts'
import { ModelPicker } from './model-picker.tsx'
import { ProtocolPicker } from './protocol-picker.tsx'
import type { Selected } from './use-selected.ts'
import type { PermissionMode } from '@toolglot/permissions'
import { Picker } from '../ui/picker.tsx'
import { useWords } from '../words/words.ts'
import { MODES } from './choices.ts'
import { PickerButton } from './picker-button.tsx'

type Picked = Pick<Compose, 'choices' | 'picker'>

/** What every picker of the composer gets. */
export interface PickerProps {
  readonly compose: Picked
  readonly change: (change: Partial<Picked>) => void
  readonly selected: Selected
  /** What the run was started with, if there is one. */
  readonly facts: RunStart | undefined
  readonly folder: string | undefined
  readonly isDisabled: boolean
}

/** Who answers, in which protocol, and what needs approval. */
export function Pickers(props: PickerProps): ReactNode {
  return (
    <>
      <ModelPicker {...props} />
      <ProtocolPicker {...props} />
      <ModePicker {...props} />
    </>
  )
}

/** What needs approval. */
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
