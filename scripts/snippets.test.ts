import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from './ready.mjs'
import { type Snippet, snippetsIn } from './snippets.mjs'

const documents = [
  'README.md',
  ...readdirSync(`${root}/docs`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
  ...readdirSync(`${root}/packages`)
    .map((name) => `packages/${name}/README.md`)
    .filter((path) => existsSync(`${root}/${path}`)),
]
const snippets = documents.flatMap((path) => snippetsIn(path, read(path)))
const compiled = snippets.filter((snippet) => snippet.excluded === undefined)

// In the repository, so that imports find its packages.
let folder: string
let output: string

beforeAll(() => {
  folder = mkdtempSync(join(root, '.snippets-'))
  compiled.forEach((snippet, index) => {
    writeFileSync(join(folder, fileOf(index)), `${snippet.setup}\n${snippet.code}\nexport {}\n`)
  })
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../tsconfig.base.json',
      compilerOptions: {
        types: ['node'],
        composite: false,
        declaration: false,
        declarationMap: false,
        isolatedDeclarations: false,
        noEmit: true,
      },
      include: ['*.ts'],
    }),
  )
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const words = [tsc, '-p', folder, '--pretty', 'false']
  const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' })
  output = stdout + stderr
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('documents have snippets, and the compiler reports no other errors', () => {
  expect(compiled.length).toBeGreaterThan(10)
  const others = output.split('\n').filter((line) => line !== '' && !/^(snippet-\d|\s)/.test(line))
  expect(others).toEqual([])
})

test.each(compiled.map((snippet, index) => [place(snippet), index] as const))(
  '%s compiles',
  (_place, index) => {
    const errors = output.split('\n').filter((line) => line.startsWith(`${fileOf(index)}(`))
    expect(errors).toEqual([])
  },
)

test.each(snippets.filter((snippet) => snippet.excluded !== undefined).map(place))(
  '%s is excluded for a reason',
  (excluded) => {
    const snippet = snippets.find((each) => place(each) === excluded)
    expect(snippet?.excluded).toMatch(/\w+ \w+/)
  },
)

test('a comment before a snippet excludes it or sets it up, and no other does', () => {
  const document = [
    '```ts\na()\n```',
    '<!-- not compiled: only part of a file -->\n```ts\nb()\n```',
    '<!-- setup:\ndeclare function c(): void\n-->\n\n```ts\nc()\n```',
    '<!-- anything -->\n```ts\nd()\n```',
    '```sh\ne\n```',
  ].join('\n\n')
  const found = snippetsIn('a.md', document)
  expect(found.map(({ line }) => line)).toEqual([1, 6, 14, 19])
  expect(found.map(({ code }) => code)).toEqual(['a()\n', 'b()\n', 'c()\n', 'd()\n'])
  expect(found.map(({ excluded }) => excluded)).toEqual([
    undefined,
    'only part of a file',
    undefined,
    undefined,
  ])
  expect(found.map(({ setup }) => setup)).toEqual(['', '', 'declare function c(): void', ''])
})

function fileOf(index: number): string {
  return `snippet-${index}.ts`
}

function place({ path, line }: Snippet): string {
  return `${path}:${line}`
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
