import type { RunStart } from '@toolglot/react/view'
import type { ReactNode } from 'react'
import type { Compose } from './compose-store.ts'
import { ModePicker } from './mode-picker.tsx'
import { ModelPicker } from './model-picker.tsx'
import { ProtocolPicker } from './protocol-picker.tsx'
import type { Selected } from './use-selected.ts'

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
