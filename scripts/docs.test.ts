import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { protocols } from '@toolglot/core'
import { listsIn, protocolsPage } from './docs.mjs'

const file = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

test('docs/protocols.md shows them as they are (npm run docs)', () => {
  expect(protocolsPage()).toBe(file('docs/protocols.md'))
})

test('quirks are of protocols that exist, in their order', () => {
  const ids = [...listsIn('quirks.txt').keys()]
  expect(ids).toEqual(Object.keys(protocols).filter((id) => ids.includes(id)))
})

test('every link in docs/protocols.md leads to a heading', () => {
  const page = file('docs/protocols.md')
  const headings = [...page.matchAll(/^## `(.+)`$/gm)].map(([, id = '']) =>
    id.replace(/[^\w-]/g, ''),
  )
  const links = [...page.matchAll(/\(#(.+?)\)/g)].map(([, anchor]) => anchor)
  expect(links).toEqual(headings)
})
