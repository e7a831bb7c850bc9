import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef } from 'react'
import type { SandboxSearch } from '../../app/router.tsx'
import {
  type Draft,
  draftKey,
  drafts,
  withGiven,
  withoutPieces,
  withPiece,
  withText,
  withValue,
  keepDraft,
  readDraft,
} from './drafts.ts'

/** Longer arguments are not stored in the address. */
const MAX_IN_ADDRESS = 8000
/** The pause in typing before the address is updated, in milliseconds. */
const DELAY = 400

/** The actions on the arguments. */
export interface Arguments {
  readonly draft: Draft
  readonly setText: (text: string) => void
  readonly setValue: (value: Readonly<Record<string, unknown>>) => void
  readonly setPiece: (place: string, text: string | undefined) => void
  readonly dropPieces: (place: string) => void
  /** Records that the user has checked the arguments. */
  readonly markChecked: () => void
}

/** The arguments of a tool, synchronized with the address. */
export function useArguments(folder: string, search: SandboxSearch): Arguments {
  const { tool = '', arguments: given, folder: inFolder } = search
  const key = draftKey(folder, tool)
  const draft = drafts.use(key)
  const navigate = useNavigate()
  /** The arguments that this page itself wrote to the address. */
  const written = useRef<string>(undefined)

  useEffect(() => {
    if (tool === '' || given === undefined || given === written.current) return
    if (given === compact(drafts.get(key)) || given === readDraft(key)?.given) return
    drafts.set(key, withGiven(drafts.get(key), given.slice(0, MAX_IN_ADDRESS * 4), true))
  }, [key, given, tool])

  useEffect(() => {
    if (tool === '') return
    const { text, problem, isFromLink } = draft
    // While the JSON is invalid, the address keeps the last valid arguments.
    const next = problem ? given : compact(draft)
    const timer = setTimeout(() => {
      // Arguments that are not in the address would be lost on reload.
      const isHeld = !problem && (next !== undefined || text === '{}')
      keepDraft(key, isHeld ? undefined : { text, given: next, isFromLink })
      if (next === given) return
      written.current = next
      void navigate({
        to: '/sandbox',
        search: {
          folder: inFolder,
          tool,
          arguments: next,
        },
        replace: true,
      })
    }, DELAY)
    return () => clearTimeout(timer)
  }, [key, draft, given, tool, inFolder, navigate])

  return useMemo(() => {
    const change = (next: (last: Draft) => Draft): void => drafts.set(key, next(drafts.get(key)))
    return {
      draft,
      setText: (text) => change((last) => withText(last, text)),
      setValue: (value) => change((last) => withValue(last, value)),
      setPiece: (place, text) => change((last) => withPiece(last, place, text)),
      dropPieces: (place) => change((last) => withoutPieces(last, place)),
      markChecked: () => change((last) => ({ ...last, isFromLink: false })),
    }
  }, [key, draft])
}

/** The arguments as stored in the address. */
function compact({ value }: Draft): string | undefined {
  const text = JSON.stringify(value)
  return text === '{}' || text.length > MAX_IN_ADDRESS ? undefined : text
}
