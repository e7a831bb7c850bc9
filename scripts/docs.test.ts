import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { protocols } from '@toolglot/core'
import { settingsSchema } from '@toolglot/workspace'
import { gatewayText, httpApiText, listsIn, openApiText, protocolsPage } from './docs.mjs'
import { lists, textOf } from './protocol-lists.mjs'

const file = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

test('docs/protocols.md is up to date (npm run docs)', () => {
  expect(protocolsPage()).toBe(file('docs/protocols.md'))
})

test.each(lists)('$file is up to date', (list) => {
  expect(textOf(list)).toBe(file(`packages/core/src/${list.file}`))
})

test('the parameters in docs/gateway.md are up to date', () => {
  expect(gatewayText()).toBe(file('docs/gateway.md'))
})

test('the endpoints in docs/http-api.md are up to date', () => {
  expect(httpApiText()).toBe(file('docs/http-api.md'))
})

test('the description of the API is up to date', () => {
  expect(openApiText()).toBe(file('packages/server/openapi.json'))
})

test('the JSON Schema of settings is up to date', () => {
  expect(settingsSchema()).toBe(file('packages/workspace/settings.schema.json'))
})

test('quirks are for existing protocols, in their order', () => {
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

/** A document without its code blocks. */
const proseIn = (path: string): string => file(path).replace(/^(`{3,}).*?^\1$/gms, '')

/** GitHub's anchors for the headings of a document. */
const anchorsIn = (path: string): string[] =>
  [...proseIn(path).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

const documents = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'examples/README.md'],
  ...readdirSync(new URL('../docs', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
  ...readdirSync(new URL('../packages', import.meta.url))
    .map((name) => `packages/${name}/README.md`)
    .filter((path) => existsSync(new URL(`../${path}`, import.meta.url))),
]

test.each(documents)('links in %s lead to files and headings', (path) => {
  const links = [...proseIn(path).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
  const broken = links.filter(([, target = '', anchor]) => {
    const at = posix.join(posix.dirname(path), target)
    const to = target === '' ? path : at
    if (!existsSync(new URL(`../${to}`, import.meta.url))) return true
    return anchor !== undefined && !anchorsIn(to).includes(anchor)
  })
  expect(broken.map(([link]) => link)).toEqual([])
})

test('every file in the drawings of docs/architecture.md is linked in its section', () => {
  const sections = file('docs/architecture.md').split(/^## /m)
  const missing = sections.flatMap((section) => {
    const [, drawing = ''] = section.split('```')
    const linked = [...section.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path!)
    const drawn = drawing.match(/[\w/-]+\.ts/g) ?? []
    return drawn.filter((name) => !linked.some((path) => path.endsWith(`/${name}`)))
  })
  expect(missing).toEqual([])
})

test('the index of documents lists every document once', () => {
  const pages = readdirSync(new URL('../docs', import.meta.url)).filter(
    (name) => name.endsWith('.md') && name !== 'README.md',
  )
  const listed = [...file('docs/README.md').matchAll(/\]\(([\w-]+\.md)\)/g)]
  expect(listed.map(([, name]) => name).sort()).toEqual(pages.sort())
})

test('the index of decisions lists every one', () => {
  const folder = new URL('../docs/decisions', import.meta.url)
  const pages = readdirSync(folder).filter((name) => /^\d/.test(name))
  const listed = [...file('docs/decisions/README.md').matchAll(/\]\(([^)]+)\)/g)]
  expect(listed.map(([, name]) => name)).toEqual(pages.sort())
})
