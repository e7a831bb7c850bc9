import type { CallApproval } from '@toolglot/react/view'
import { ApiError } from '@toolglot/server/client'
import { useMemo } from 'react'
import { useApi } from '../app/use-api.ts'
import { type Diff, readDiff } from '../ui/unified-diff.ts'

/** The changes that a call would make in a file, as far as they are known. */
export type Preview =
  /** `unknown`: it cannot be told, because the call would fail or the file is no text. */
  | { readonly state: 'none' | 'loading' | 'unknown' }
  /** With what the server said about it, such as that the text to replace is not there. */
  | { readonly state: 'failed'; readonly why: string | undefined }
  | { readonly state: 'known'; readonly diff: Diff; readonly text: string }

/** How often it is asked, in milliseconds. */
const EVERY = 5000

/** Asks what a call would change. Only calls that write files by themselves can tell. */
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
  // A server that is away for a moment has said enough.
  if (error instanceof ApiError) return { state: 'failed', why: error.detail }
  if (diff && text !== undefined) return { state: 'known', diff, text }
  if (error) return { state: 'failed', why: undefined }
  return { state: isPending ? 'loading' : 'unknown' }
}
