import { useEffect, useRef } from 'react'
import { replyInFragment } from '../parser-link.ts'
import { changeParser, loadReply, parserState, useParserState } from '../parser-store.ts'
import { absent, type ParserAddress, useSources } from '../sources.ts'
import { showOpened } from './open-file.ts'

/**
 * Shows the reply that the address names: one in its fragment, or one of a run. Once the text is another one, the address no
 * longer names it. Returns whether the reply is not here yet.
 */
export function useOpened({ fragment, run, turn, forgetText }: ParserAddress): boolean {
  const { useRecorded = absent.useRecorded } = useSources()
  const { value, error } = useRecorded(run, turn)
  const { from, edits } = useParserState()
  const key = run !== undefined ? `${run} ${turn ?? 0}` : fragment === '' ? undefined : fragment
  const seen = useRef(edits)
  useEffect(() => {
    if (seen.current === edits) return
    seen.current = edits
    if (key !== undefined) forgetText()
  })
  useEffect(() => {
    if (run !== undefined || key === undefined || parserState().from === key) return
    const { edits: before } = parserState()
    let isCurrent = true
    void replyInFragment(key).then((reply) => {
      // Somebody may have typed meanwhile.
      if (isCurrent && reply && parserState().edits === before) showOpened(reply, key)
    })
    return () => void (isCurrent = false)
  }, [run, key])
  useEffect(() => {
    if (run !== undefined && value !== undefined && parserState().from !== key)
      loadReply(value, undefined, key)
  }, [run, key, value])
  useEffect(() => {
    if (run !== undefined && error !== undefined)
      changeParser({ notice: { type: 'failed', message: error } })
  }, [run, error])
  return run === undefined
    ? (key?.startsWith('reply=') ?? false) && from !== key
    : value === undefined && error === undefined
}
