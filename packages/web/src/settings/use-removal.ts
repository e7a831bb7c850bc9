import { errorText } from '../app/error-text.ts'
import { useToast } from '../ui/toasts.tsx'
import { useWords } from '../words/words.ts'
import { type Change, useChangeSettings } from './use-settings.ts'

/** Something that is removed from the person's own settings. */
export interface Removal {
  readonly change: Change
  /** Puts it back. */
  readonly undo?: Change
  /** What was done. */
  readonly title: string
  readonly text?: string
}

/** How long it can be put back by a click, in milliseconds. */
const DURATION = 30_000

/** Removes something, says so, and offers to put it back. */
export function useRemoval(): {
  readonly remove: (removal: Removal) => Promise<void>
  readonly isPending: boolean
} {
  const { t } = useWords()
  const toast = useToast()
  const { mutateAsync, isPending } = useChangeSettings()
  // The row that asked may be unmounted when it is done, so the result is awaited here.
  const save = async (change: Change, done: () => void): Promise<void> => {
    try {
      await mutateAsync(change)
      done()
    } catch (error) {
      toast({ title: t('settings.notSaved'), text: errorText(error), kind: 'no' })
    }
  }
  const remove = ({ change, undo, title, text }: Removal): Promise<void> =>
    save(change, () => {
      toast({
        title,
        text,
        ...(undo && {
          duration: DURATION,
          actions: [
            {
              label: t('settings.undo'),
              run: () => void save(undo, () => toast({ title: t('settings.undone') })),
            },
          ],
        }),
      })
    })
  return { remove, isPending }
}
