import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { createTools, type Host, nodeHost, scriptedAsk, type SearchProvider } from '@toolglot/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedFolderOf } from '../../../tests/helpers/folder.ts'
import { ToolManager } from './index.ts'

const goFile = 'func main() {\n    fmt.Println("Hello")\n}'
const longFile = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`).join('\n')
const scriptLines = ['export function greet(): string {', "  return 'Hello'", '}']
const files: Readonly<Record<string, string>> = {
  // Ignored files are not searched.
  '.gitignore': 'path/\n',
  'path/to/file.go': goFile,
  'path/to/long.go': longFile,
  // Line 25 calls `greet` in column 10.
  'path/to/file.ts': [...scriptLines, ...Array<string>(21).fill(''), 'let it = greet()'].join('\n'),
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "noEmit": true, "types": [] } }',
  'package.json': '{ "name": "my-app", "version": "1.0.0", "private": true }',
  'main.go': 'package main\n',
  'pkg/server.go': 'package pkg\n\nfunc newError() error {}\n',
  'internal/handler.go': 'package internal\n\nfunc handle() {}\n\nfunc isError() bool {}\n',
  'notes.md': 'func of Error\n',
  'docs/guide.md': '# Guide\n',
  'docs/deep/other.md': '# Other\n',
}

const provider: SearchProvider = {
  name: 'scripted',
  search: async ({ query }) => [
    { title: `About ${query}`, url: 'https://go.dev/blog/context', snippet: 'Go Concurrency' },
    { title: 'Elsewhere', url: 'https://example.org/', snippet: 'Not Go' },
  ],
}

// oxlint-disable-next-line typescript/no-explicit-any
type Call = (args: Record<string, unknown>) => Promise<any>
const root = sharedFolderOf(files)
const storage = { folder: sharedFolderOf() }
let host: Host
let manager: ToolManager
beforeAll(() => {
  execFileSync('git', ['init', '-q'], { cwd: root })
  const node = nodeHost({
    fileSystem: nodeFileSystem({ cwd: root }),
    storage,
    sandbox: { use: 'none' },
  })
  const page = `<title>Effective Go</title><main><h1>Errors</h1><p>${'Library routines must often return some sort of error indication. '.repeat(5)}</p></main>`
  const request: Host['web']['request'] = async () => ({
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: new TextEncoder().encode(page),
  })
  host = { ...node, web: { ...node.web, request } }
  manager = new ToolManager({
    permissions: {
      allow: ['Write(**)', 'Edit(**)', 'Bash(git:*)', 'Bash(npm:*)', 'Bash(go:*)'].concat(
        'WebFetch(domain:go.dev)',
        'WebSearch',
      ),
    },
    fileSystem: host.fileSystem,
    ask: scriptedAsk({ 'Which database should we use?': 'PostgreSQL' }),
  })
  for (const tool of createTools(host, { provider }).values()) manager.registerTool(tool)
})
afterAll(() => host.close())

const named =
  (name: string): Call =>
  (args) =>
    manager.execute(name, args)
const Read = named('Read')
const Write = named('Write')
const Edit = named('Edit')
const Glob = named('Glob')
const Grep = named('Grep')
const Bash = named('Bash')
const AskUserQuestion = named('AskUserQuestion')
const TodoWrite = named('TodoWrite')
const LSP = named('LSP')
const WebFetch = named('WebFetch')
const WebSearch = named('WebSearch')

describe('each tool', () => {
  test('Read', async () => {
    const { content, total_lines } = await Read({ file_path: join(root, 'path/to/file.go') })
    expect(content).toBe('     1\tfunc main() {\n     2\t    fmt.Println("Hello")\n     3\t}')
    expect(total_lines).toBe(3)
    const part = await Read({ file_path: join(root, 'path/to/long.go'), offset: 10, limit: 5 })
    const lines = [10, 11, 12, 13, 14].map((line) => `    ${line}\tline ${line}`)
    expect(part.content.split('\n').slice(0, 5)).toEqual(lines)
    expect(part.content).not.toMatch(/line (9|15)\b/)
    expect(part.total_lines).toBe(20)
  })

  test('Write', async () => {
    const result = await Write({
      file_path: join(root, 'path/to/new-file.go'),
      content: 'package main\n\nfunc main() {}\n',
    })
    expect(result).toMatchObject({ success: true, bytes_written: 29 })
    expect(readFileSync(join(root, 'path/to/new-file.go'), 'utf8')).toContain('package main')
  })

  test('Edit', async () => {
    await Read({ file_path: join(root, 'path/to/file.go') })
    const result = await Edit({
      file_path: join(root, 'path/to/file.go'),
      old_string: 'fmt.Println("Hello")',
      new_string: 'fmt.Println("Hello, World!")',
    })
    expect(result).toMatchObject({ success: true, replacements: 1 })
  })

  test('Glob', async () => {
    const { files: found, count } = await Glob({ pattern: '**/*.go' })
    // Files are ordered by their last change.
    expect(new Set(found)).toEqual(new Set(['main.go', 'pkg/server.go', 'internal/handler.go']))
    expect(count).toBe(3)
    const docs = await Glob({ pattern: '*.md', path: join(root, 'docs') })
    expect(docs.files).toContain('docs/guide.md')
    expect(docs.files).not.toContain('notes.md')
  })

  test('Grep', async () => {
    const { matches, total_matches } = await Grep({
      pattern: 'func.*Error',
      glob: '*.go',
      output_mode: 'content',
      '-n': true,
    })
    expect(total_matches).toBe(2)
    expect(matches).toMatchObject([
      { file: 'internal/handler.go', line_number: 5, content: 'func isError() bool {}' },
      { file: 'pkg/server.go', line_number: 3, content: 'func newError() error {}' },
    ])
  })

  test.each([
    { command: 'go build ./...' },
    { command: 'git status' },
    { command: 'npm install', timeout: 300000 },
  ])('Bash: $command', async (args) => {
    const { stdout, stderr, exit_code } = await Bash(args)
    expect([typeof stdout, typeof stderr, typeof exit_code]).toEqual(['string', 'string', 'number'])
    // Go may not be installed.
    if (!args.command.startsWith('go ')) expect(exit_code).toBe(0)
  })

  test('AskUserQuestion', async () => {
    const { answers } = await AskUserQuestion({
      questions: [
        {
          question: 'Which database should we use?',
          header: 'Database',
          options: [
            { label: 'PostgreSQL', description: 'Relational, ACID compliant' },
            { label: 'MongoDB', description: 'Document store, flexible schema' },
            { label: 'Redis', description: 'In-memory, key-value store' },
          ],
          multiSelect: false,
        },
      ],
    })
    expect(answers).toEqual({ 'Which database should we use?': 'PostgreSQL' })
  })

  test('TodoWrite', async () => {
    const result = await TodoWrite({
      todos: [
        {
          content: 'Implement user authentication',
          status: 'in_progress',
          activeForm: 'Implementing user authentication',
        },
        { content: 'Add unit tests', status: 'pending', activeForm: 'Adding unit tests' },
        { content: 'Review security', status: 'pending', activeForm: 'Reviewing security' },
      ],
    })
    expect(result).toMatchObject({ success: true })
  })

  test('LSP', async () => {
    const { locations } = await LSP({
      operation: 'goToDefinition',
      filePath: join(root, 'path/to/file.ts'),
      line: 25,
      character: 10,
    })
    expect(locations).toMatchObject([{ path: 'path/to/file.ts', line: 1 }])
  })

  test('WebFetch', async () => {
    const { content } = await WebFetch({
      url: 'https://go.dev/doc/effective_go',
      prompt: 'Extract the section about error handling',
    })
    expect(content).toContain('some sort of error indication')
  })

  test('WebSearch', async () => {
    const { results } = await WebSearch({
      query: 'Go context cancellation best practices 2024',
      allowed_domains: ['go.dev', 'golang.org'],
    })
    expect(results).toEqual([
      {
        title: 'About Go context cancellation best practices 2024',
        url: 'https://go.dev/blog/context',
        snippet: 'Go Concurrency',
      },
    ])
  })
})
