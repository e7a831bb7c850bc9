import { useEffect, useMemo, useState } from 'react'
import { useSources } from '../sources.ts'
import { ParseClient } from '../worker/parse-client.ts'
import type { CheckedPicture } from './check-picture.ts'

/** What is known about a text, or about the one before until then. */
export interface PictureState {
  readonly result: CheckedPicture | undefined
  readonly isChecking: boolean
  /** Checking it took too long. */
  readonly isStopped: boolean
}

/** How long somebody must pause before the laws are checked, and how long that may take, in milliseconds. */
const PAUSE = 500
const LIMIT = 15_000

/** Reads a drawn protocol at once and then checks its laws, in a worker of its own: reading replies never waits for that. */
export function useCheckedPicture(source: string): PictureState {
  const { startWorker } = useSources()
  const client = useMemo(() => new ParseClient(startWorker), [startWorker])
  const [result, setResult] = useState<CheckedPicture>()
  /** The text of which everything is known, or whose check was stopped. */
  const [checked, setChecked] = useState<string>()
  const [stopped, setStopped] = useState<string>()
  useEffect(() => () => client.close(), [client])
  useEffect(() => {
    let isCurrent = true
    const end = (isStopped: boolean): void => {
      setChecked(source)
      setStopped(isStopped ? source : undefined)
    }
    const check = async (): Promise<void> => {
      const read = await client.ask('check', { source, onlyRead: true })
      if (!isCurrent) return
      const isProtocol = read.id !== undefined
      setResult((before) => ({ ...read, laws: (isProtocol && before?.laws) || [] }))
      if (!isProtocol) return end(false)
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
      if (!isCurrent) return
      const limit = setTimeout(() => client.close(), LIMIT)
      try {
        const all = await client.ask('check', { source, onlyRead: false })
        if (!isCurrent) return
        setResult(all)
        end(false)
      } finally {
        clearTimeout(limit)
      }
    }
    check().catch(() => {
      if (!isCurrent) return
      setResult((before) => before && { ...before, laws: [] })
      end(true)
    })
    return () => {
      isCurrent = false
    }
  }, [client, source])
  return { result, isChecking: checked !== source, isStopped: stopped === source }
}
