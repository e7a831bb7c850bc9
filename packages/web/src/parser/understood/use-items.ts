import { useEffect, useMemo, useState } from 'react'
import type { Item } from '../worker/item.ts'
import type { Reading } from '../worker/messages.ts'
import { OutdatedError, type ParseClient } from '../worker/parse-client.ts'

const PAGE = 40

/** The items of a list, which come from the worker as they are needed. */
export function useItems(
  client: ParseClient,
  reading: Reading,
  first: number,
  last: number,
): (at: number) => Item | undefined {
  /** By page; empty while it is on its way. */
  const pages = useMemo(() => new Map<number, readonly Item[]>([[0, reading.items]]), [reading])
  const [count, setCount] = useState(0)
  const from = Math.floor(first / PAGE)
  const to = Math.floor(last / PAGE)
  useEffect(() => {
    for (let page = from; page <= to; page++) {
      if (pages.has(page) || page * PAGE >= reading.listed.length) continue
      pages.set(page, [])
      client.ask('items', { from: page * PAGE, to: (page + 1) * PAGE }).then(
        (items) => {
          pages.set(page, items)
          setCount((before) => before + 1)
        },
        (error: unknown) => {
          pages.delete(page)
          // There is another text: its items come with it. Otherwise it is asked for again.
          if (!(error instanceof OutdatedError)) setCount((before) => before + 1)
        },
      )
    }
  }, [client, pages, from, to, reading, count])
  return (at) => pages.get(Math.floor(at / PAGE))?.[at % PAGE]
}
