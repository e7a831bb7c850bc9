import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allSnippets, placeOf } from './documents.mjs'
import { root } from './ready.mjs'
import { snippetsIn } from './snippets.mjs'

const snippets = allSnippets('ts', 'tsx', 'js')
const compiled = snippets.filter((snippet) => snippet.excluded === undefined)

// In the repository, so that imports find its packages.
let folder: string
let output: string

beforeAll(() => {
  folder = mkdtempSync(join(root, '.snippets-'))
  compiled.forEach((snippet, index) => {
    writeFileSync(join(folder, fileOf(index)), `${snippet.setup}\n${snippet.code}\nexport {}\n`)
  })
  output = compile('ts', { types: ['node'], allowJs: true }) + compile('tsx', inBrowser)
})

/** Browser code is compiled like the React package. */
const inBrowser = { lib: ['es2022', 'dom'], jsx: 'react-jsx' }

/**
 * The compiler's errors about the snippets in a language. JavaScript is checked with TypeScript.
 */
function compile(language: 'ts' | 'tsx', options: object): string {
  const file = join(folder, `tsconfig.${language}.json`)
  const whole = {
    composite: false,
    declaration: false,
    declarationMap: false,
    isolatedDeclarations: false,
    noEmit: true,
    // Uses the published types: reading the sources takes ten times as long.
    customConditions: [],
  }
  writeFileSync(
    file,
    JSON.stringify({
      extends: '../tsconfig.base.json',
      compilerOptions: { ...whole, ...options },
      include: language === 'ts' ? ['*.ts', '*.js'] : ['*.tsx'],
    }),
  )
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const words = [tsc, '-p', file, '--pretty', 'false']
  const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' })
  return stdout + stderr
}

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('documents have snippets, and the compiler reports no other errors', () => {
  expect(compiled.length).toBeGreaterThan(10)
  const others = output.split('\n').filter((line) => line !== '' && !/^(snippet-\d|\s)/.test(line))
  expect(others).toEqual([])
})

test.each(compiled.map((snippet, index) => [placeOf(snippet), index] as const))(
  '%s compiles',
  (_place, index) => {
    const errors = output.split('\n').filter((line) => line.startsWith(`${fileOf(index)}(`))
    expect(errors).toEqual([])
  },
)

test.each(snippets.filter((snippet) => snippet.excluded !== undefined).map(placeOf))(
  '%s is excluded for a reason',
  (excluded) => {
    const snippet = snippets.find((each) => placeOf(each) === excluded)
    expect(snippet?.excluded).toMatch(/\w+ \w+/)
  },
)

test('a comment before a snippet excludes it or sets it up, and other comments do not', () => {
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
  expect(found.map(({ notRun }) => notRun)).toEqual([undefined, undefined, undefined, undefined])

  const both = '<!-- not run: it waits for a person -->\n<!-- setup: f() -->\n\n````tsx\ng()\n````'
  expect(snippetsIn('a.md', both, ['tsx'])).toMatchObject([
    { line: 4, language: 'tsx', code: 'g()\n', setup: 'f()', notRun: 'it waits for a person' },
  ])
})

function fileOf(index: number): string {
  return `snippet-${index}.${compiled[index]!.language}`
}
