import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { format } from 'node:util'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { allSnippets, placeOf } from './documents.mjs'
import { root } from './ready.mjs'
import type { Snippet } from './snippets.mjs'
import { share } from '../tests/helpers/size.ts'

// Programs in documents must produce the stated output. Programs with undefined names, marked by
// `declare`, are only compiled.

const programs = allSnippets('ts', 'js').filter((each) => each.excluded === undefined)
const whole = programs.filter(({ setup, code }) => !/^declare /m.test(`${setup}\n${code}`))
const runnable = whole.filter(({ notRun }) => notRun === undefined)
/** Snippets from the examples folder are run by its own test. */
const examples = readdirSync(join(root, 'examples'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(root, 'examples', name), 'utf8'))
const others = runnable.filter(({ code }) => !examples.includes(code))
const isOfReadme = ({ path }: Snippet): boolean => path === 'README.md'
const run = [
  ...others.filter(isOfReadme),
  ...share(
    others.filter((each) => !isOfReadme(each)),
    2,
  ),
]

// In the repository, so that imports find its packages.
const sources = mkdtempSync(join(root, '.snippets-'))
const folder = mkdtempSync(join(tmpdir(), 'toolglot-snippets-'))
const before = process.cwd()
let printed: string[]

beforeEach(() => {
  printed = []
  vi.spyOn(console, 'log').mockImplementation((...args) => void printed.push(format(...args)))
  vi.spyOn(console, 'dir').mockImplementation(() => {})
  vi.stubGlobal('fetch', ollama)
  vi.stubEnv('HOME', folder)
  for (const name of ['CONFIG', 'STATE', 'CACHE', 'DATA']) vi.stubEnv(`XDG_${name}_HOME`, undefined)
  process.chdir(folder)
})
afterEach(() => {
  process.chdir(before)
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})
afterAll(() => {
  rmSync(sources, { recursive: true })
  rmSync(folder, { recursive: true })
})

test.each(run.map((snippet, index) => [placeOf(snippet), index, snippet] as const))(
  '%s runs, and prints the output in its last comment',
  async (_place, index, snippet) => {
    const file = join(sources, `snippet-${index}.${snippet.language}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "name": "example", "version": "1.2.3" }\n')
    writeFileSync(file, `${snippet.setup}\n${snippet.code}\nexport {}\n`)
    await import(/* @vite-ignore */ file)
    const promised = outputOf(snippet)
    if (promised !== undefined) expect(printed.join('\n')).toBe(promised)
  },
)

test.each(
  programs.filter(({ notRun }) => notRun !== undefined).map((each) => [placeOf(each), each]),
)('%s is not run, for a reason', (_place, { notRun }) => expect(notRun).toMatch(/\w+ \w+/))

test('most complete programs run', () => {
  expect(runnable.length).toBeGreaterThan(whole.length / 2)
})

/** The output stated in a comment at the end of a program, after an empty line. */
function outputOf({ code }: Snippet): string | undefined {
  const last = code.trimEnd().split('\n\n').at(-1) ?? ''
  const lines = last.split('\n')
  if (!lines.every((line) => line.startsWith('//'))) return undefined
  return lines.map((line) => line.slice(3)).join('\n')
}

/**
 * A model server as documents describe it: its model calls a tool from the prompt once, and then
 * answers. All other requests fail.
 */
async function ollama(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const { origin, pathname } = new URL(url instanceof Request ? url.url : url)
  if (!origin.startsWith('http://127.0.0.1:')) throw new TypeError(`fetch failed: ${origin}`)
  const isOwn = pathname === '/api/chat'
  if (!isOwn && pathname !== '/v1/chat/completions') return new Response('{}', { status: 404 })
  const body = typeof init?.body === 'string' ? init.body : ''
  const isFirst = body.includes('get_weather') && !body.includes('<tool_response>\\n')
  const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Hanoi"}}\n</tool_call>'
  const delta = { content: isFirst ? call : 'Yes, take one.' }
  const line = { message: { role: 'assistant', ...delta }, done: true, done_reason: 'stop' }
  if (isOwn) return new Response(`${JSON.stringify(line)}\n`)
  const chunk = { choices: [{ index: 0, delta, finish_reason: 'stop' }] }
  return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, {
    headers: { 'content-type': 'text/event-stream' },
  })
}
