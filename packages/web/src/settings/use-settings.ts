import {
  useMutation,
  type UseMutationResult,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useClient } from '@toolglot/react'
import { useApi, errorText } from '../app/use-api.ts'
import { useFolder } from '../folders/use-folder.ts'
import type { Settings } from './place-text.tsx'
import { useToast } from '../ui/toasts.tsx'
import { useWords } from '../words/words.ts'

/** The settings of the folder in the address. */
export function useSettings(): UseQueryResult<Settings> {
  const { folder } = useFolder()
  return useApi('GET /api/settings', { query: { folder } })
}

/** A change of the person's own settings. */
interface Change {
  readonly key: string
  /** The new value, given the settings as they are now; null removes the key. */
  readonly value: (now: Settings) => unknown
}

/** Everything that settings decide. */
const CHANGED = [
  'GET /api/settings',
  'GET /api/permit/lint',
  'GET /api/models',
  'GET /api/mcp',
  'GET /api/tools',
  'GET /api/sandbox',
  'GET /api/status',
]

/**
 * Changes the person's own settings. They are read first: another page or an editor may have changed them since they were
 * shown, and a list is written as a whole.
 */
export function useChangeSettings(): UseMutationResult<unknown, Error, Change> {
  const client = useClient()
  const queries = useQueryClient()
  const { folder } = useFolder()
  return useMutation({
    async mutationFn({ key, value }: Change) {
      const now = await client.request('GET /api/settings', { query: { folder } })
      return await client.request('PUT /api/settings', { body: { key, value: value(now) } })
    },
    onSettled: () =>
      Promise.all([
        ...CHANGED.map((name) => queries.invalidateQueries({ queryKey: [name] })),
        queries.invalidateQueries({ queryKey: ['permit'] }),
      ]),
  })
}

/** Something that is removed from the person's own settings. */
interface Removal {
  readonly change: Change
  /** Puts it back. */
  readonly undo?: Change
  /** The action that was done. */
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
