import { decide, readRules, type Verdict } from '@toolglot/permissions'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { createTools, nodeHost } from '@toolglot/tools'
import { describe, expect, test } from 'vitest'
import { sharedFolderOf } from '../../../tests/helpers/folder.ts'
import { PTKExecutionError, ToolManager } from './index.ts'

const allow = [
  // Bash patterns
  'Bash(git:*)', // All git commands
  'Bash(npm:*)', // All npm commands
  'Bash(go:*)', // All go commands
  'Bash(make:*)', // All make commands

  // Read patterns
  'Read(**/*.go)', // All Go files
  'Read(**/*.md)', // All Markdown files
  'Read(src/**)', // All files in src/

  // Edit patterns
  'Edit(src/**)', // Edit files in src/
  'Edit(**/*.go)', // Edit Go files

  // Web patterns
  'WebFetch(domain:github.com)',
  'WebFetch(domain:go.dev)',
]
const deny = [
  // Security-sensitive files
  'Read(.env)',
  'Read(.env.*)',
  'Read(secrets/**)',
  'Read(**/*.pem)',
  'Read(**/*.key)',
  'Read(**/*secret*)',

  // Dangerous operations
  'Bash(rm -rf:*)',
  'Bash(sudo:*)',
  'Write(.env)',
]

const root = sharedFolderOf()

describe('permission patterns', () => {
  const read = readRules({ allow, deny })

  test('have no problems', () => {
    expect(read.problems).toEqual([])
    expect(read.rules).toHaveLength(allow.length + deny.length)
    for (const pattern of ['Bash(git status)', 'Bash(git:*)', 'Read(**/*.go)'])
      expect(readRules({ allow: [pattern] }).problems).toEqual([])
  })

  test.each<[Verdict, string, Record<string, string>]>([
    ['allow', 'Bash', { command: 'git status' }],
    ['allow', 'Bash', { command: 'make all' }],
    ['deny', 'Bash', { command: 'git status && rm -rf /' }],
    ['ask', 'Bash', { command: 'gitx status' }],
    ['ask', 'Bash', { command: 'curl example.org' }],
    ['deny', 'Bash', { command: 'rm -rf build' }],
    ['deny', 'Bash', { command: 'sudo make install' }],
    ['allow', 'Read', { file_path: 'pkg/server.go' }],
    ['allow', 'Read', { file_path: 'README.md' }],
    ['allow', 'Read', { file_path: 'src/any/thing.txt' }],
    ['deny', 'Read', { file_path: '.env' }],
    ['deny', 'Read', { file_path: '.env.local' }],
    ['deny', 'Read', { file_path: 'secrets/token.txt' }],
    ['deny', 'Read', { file_path: 'src/server.pem' }],
    ['deny', 'Read', { file_path: 'src/server.key' }],
    ['deny', 'Read', { file_path: 'src/my-secret-plan.md' }],
    ['deny', 'Write', { file_path: '.env', content: 'KEY=2' }],
    ['allow', 'Edit', { file_path: 'src/a.txt', old_string: 'a', new_string: 'b' }],
    ['allow', 'Edit', { file_path: 'pkg/a.go', old_string: 'a', new_string: 'b' }],
    ['ask', 'Edit', { file_path: 'notes.txt', old_string: 'a', new_string: 'b' }],
    ['allow', 'WebFetch', { url: 'https://github.com/golang/go', prompt: 'stars' }],
    ['allow', 'WebFetch', { url: 'https://go.dev/doc/', prompt: 'errors' }],
    ['ask', 'WebFetch', { url: 'https://example.org/', prompt: 'errors' }],
  ])('%s: %s %j', async (verdict, name, args) => {
    expect((await decide({ name, args }, read, nodeFileSystem({ cwd: root }))).verdict).toBe(
      verdict,
    )
  })
})

test('a denied call throws an error with the file and the rule', async () => {
  const host = nodeHost({ fileSystem: nodeFileSystem({ cwd: root }), storage: { folder: root } })
  const manager = new ToolManager({ permissions: { allow, deny }, fileSystem: host.fileSystem })
  for (const tool of createTools(host).values()) manager.registerTool(tool)
  const failed = manager.execute('Read', { file_path: '.env' })
  const error = await failed.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(PTKExecutionError)
  expect(error).toMatchObject({
    code: 'TOOL_EXECUTION_FAILED',
    context: {
      tool: 'Read',
      error_type: 'permission_denied',
      message: expect.stringContaining('.env'),
      details: { file: '.env', matched_rule: 'Read(.env)' },
    },
  })
  await host.close()
})
