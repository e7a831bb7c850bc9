import { type Command, useCommands } from '../app/commands.ts'
import type { ChangeCompose } from './compose-store.ts'

const PICKERS = [
  { id: 'model', label: 'compose.choose.model', icon: 'cube', keys: 'mod+m' },
  { id: 'protocol', label: 'compose.choose.protocol', icon: 'parser', keys: 'p' },
  { id: 'mode', label: 'compose.choose.mode', icon: 'shield', keys: 'o' },
] as const

/** Offers the composer's actions in the palette and as keys. */
export function useComposerCommands({
  change,
  isDisabled,
  onWrite,
  onAttach,
  onStop,
}: {
  readonly change: ChangeCompose
  readonly isDisabled: boolean
  readonly onWrite: () => void
  readonly onAttach: () => void
  /** Undefined if the run cannot be stopped. */
  readonly onStop: (() => void) | undefined
}): void {
  const stop: readonly Command[] = onStop
    ? [
        {
          id: 'stop',
          label: 'compose.stop',
          group: 'here',
          icon: 'stop',
          keys: 'Escape',
          run: onStop,
        },
      ]
    : []
  const write: readonly Command[] = [
    { id: 'write', label: 'compose.write', group: 'here', icon: 'edit', keys: 'w', run: onWrite },
    ...PICKERS.map((picker): Command => ({
      ...picker,
      group: 'here',
      run: () => change({ picker: picker.id }),
    })),
    {
      id: 'attach',
      label: 'compose.attach',
      group: 'here',
      icon: 'plus',
      keys: 'u',
      run: onAttach,
    },
  ]
  useCommands(isDisabled ? stop : [...stop, ...write])
}
