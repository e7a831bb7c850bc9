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

/** A change to the user's own settings. */
interface Change {
  readonly key: string
  /** The new value, given the current settings; null removes the key. */
  readonly value: (now: Settings) => unknown
}

/** The queries whose answers depend on settings. */
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
 * Changes the user's own settings. They are read first, because another page or an editor may have
 * changed them, and lists are written as a whole.
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

/** A removal from the user's own settings. */
interface Removal {
  readonly change: Change
  /** Undoes the removal. */
  readonly undo?: Change
  /** The title of the notice. */
  readonly title: string
  readonly text?: string
}

/** The time during which undo is offered, in milliseconds. */
const DURATION = 30_000

/** Removes an entry and shows a notice with an undo button. */
export function useRemoval(): {
  readonly remove: (removal: Removal) => Promise<void>
  readonly isPending: boolean
} {
  const { t } = useWords()
  const toast = useToast()
  const { mutateAsync, isPending } = useChangeSettings()
  // The row that started the change may unmount before it ends, so the result is awaited here.
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
