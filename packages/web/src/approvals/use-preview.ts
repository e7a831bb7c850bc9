import type { CallApproval } from '@toolglot/react/view'
import { ApiError } from '@toolglot/server/client'
import { useMemo } from 'react'
import { useApi } from '../app/use-api.ts'
import { type Diff, readDiff } from '../ui/unified-diff.ts'

/** The changes that a call would make in a file, as far as they are known. */
export type Preview =
  /** `unknown`: the call would fail, or the file is not text. */
  | { readonly state: 'none' | 'loading' | 'unknown' }
  /** `why` is the server's reason, such as that the text to replace is missing. */
  | { readonly state: 'failed'; readonly why: string | undefined }
  | { readonly state: 'known'; readonly diff: Diff; readonly text: string }

/** The polling interval in milliseconds. */
const EVERY = 5000

/** Requests a preview of a call's changes. Only tools that write files directly support it. */
export function usePreview(run: string, { key, request }: CallApproval): Preview {
  const { parts } = request.decision
  const mayTell = parts.some(
    ({ subject }) => subject && 'tool' in subject && subject.kind === 'write',
  )
  const { data, isPending, error } = useApi(
    'GET /api/runs/:run/preview',
    { parameters: { run }, query: { key } },
    // Other calls may change the file meanwhile.
    { enabled: mayTell, refetchInterval: EVERY },
  )
  const text = data?.diff
  const diff = useMemo(() => (text === undefined ? undefined : readDiff(text)), [text])
  if (!mayTell) return { state: 'none' }
  // An error sent by the server replaces the last preview; a network error does not.
  if (error instanceof ApiError) return { state: 'failed', why: error.detail }
  if (diff && text !== undefined) return { state: 'known', diff, text }
  if (error) return { state: 'failed', why: undefined }
  return { state: isPending ? 'loading' : 'unknown' }
}
