import { execute, type ToolContext, type ToolError } from '@toolglot/agent'
import { readRules } from '@toolglot/permissions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTools } from '../create-tools.ts'
import { lives } from '../../test/machine.ts'
import { createProject, type Project } from '../../test/project.ts'
import { failureOf } from '../../test/web-server.ts'
import { contextOf } from '../../test/workspace.ts'
import { editTool } from './edit.ts'
import { type LSPArguments, lspTool } from './lsp.ts'
import { writeTool } from './write.ts'
import { lacks } from '../../../../tests/helpers/abilities.ts'
import { longTest } from '../../../../tests/helpers/size.ts'

const files = {
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "module": "nodenext", "noEmit": true } }',
  'package.json': '{ "type": "module" }',
  'src/a.ts': `/** Doubles. */
export function twice(n: number): number { return n * 2 }
export interface Shape { area(): number }
export class Square implements Shape { area(): number { return twice(2) } }
`,
  'src/b.ts': `import { Square, twice } from './a.js'
const s = '😀😀'; export const x: string = twice(2)
export function four(): number { return twice(twice(1)) + new Square().area() }
export const long = s.length
`,
  'src/c.ts': `export const y = twice(3)\n`,
  'src/keys.ts': `export const key = 'sesame' as const\n`,
  'src/d.ts': `import { key } from './keys.js'\nexport const open = [key]\n`,
  'notes.foo': 'nothing\n',
}

let project: Project
beforeAll(() => {
  project = createProject(files)
})
afterAll(() => project.close())

async function ask(args: LSPArguments, context: Partial<ToolContext> = {}): Promise<string> {
  const lsp = lspTool(project.host)
  return lsp.show!(await lsp.execute(args, contextOf(context)), args)
}

const twice = { filePath: 'src/b.ts', line: 3, character: 42 }

describe('each operation', () => {
  const line = (number: number): string => files['src/b.ts'].split('\n')[number - 1]!
  const a = files['src/a.ts'].split('\n')
  test.each<[LSPArguments, readonly string[]]>([
    [{ operation: 'goToDefinition', ...twice }, [`src/a.ts:2:17: ${a[1]}`]],
    [
      { operation: 'findReferences', ...twice },
      [
        `src/b.ts:1:18: ${line(1)}`,
        `src/b.ts:2:42: ${line(2)}`,
        `src/b.ts:3:41: ${line(3)}`,
        `src/b.ts:3:47: ${line(3)}`,
        `src/a.ts:2:17: ${a[1]}`,
        `src/a.ts:4:64: ${a[3]}`,
      ],
    ],
    [
      { operation: 'hover', ...twice },
      ['```typescript', '(alias) function twice(n: number): number', '```', 'Doubles.'],
    ],
    [
      { operation: 'documentSymbol', filePath: 'src/a.ts' },
      [
        'function twice 2:17',
        'interface Shape 3:18',
        '  method area 3:26',
        'class Square 4:14',
        '  method area 4:40',
      ],
    ],
    [
      { operation: 'workspaceSymbol', filePath: 'src/b.ts', query: 'Squ' },
      [`class Square, src/a.ts:4:14: ${a[3]}`],
    ],
    [
      { operation: 'workspaceSymbol', filePath: 'src/b.ts', line: 1, character: 12 },
      [`class Square, src/a.ts:4:14: ${a[3]}`],
    ],
    [
      { operation: 'goToImplementation', filePath: 'src/a.ts', line: 3, character: 18 },
      [`src/a.ts:4:14: ${a[3]}`],
    ],
    [{ operation: 'prepareCallHierarchy', ...twice }, [`function twice, src/a.ts:2:17: ${a[1]}`]],
    [
      { operation: 'outgoingCalls', filePath: 'src/b.ts', line: 3, character: 18 },
      [
        `function twice, src/a.ts:2:17: ${a[1]}`,
        `  called at src/b.ts:3:41: ${line(3)}`,
        `  called at src/b.ts:3:47: ${line(3)}`,
        `method area, src/a.ts:4:40: ${a[3]}`,
        `  called at src/b.ts:3:59: ${line(3)}`,
        `class Square, src/a.ts:4:14: ${a[3]}`,
        `  called at src/b.ts:3:63: ${line(3)}`,
      ],
    ],
    [
      // The callees of the definition rather than of the queried position.
      { operation: 'outgoingCalls', filePath: 'src/b.ts', line: 3, character: 74 },
      [`function twice, src/a.ts:2:17: ${a[1]}`, `  called at src/a.ts:4:64: ${a[3]}`],
    ],
    [
      { operation: 'diagnostics', filePath: 'src/b.ts' },
      ["src/b.ts:2:30: error 2322: Type 'number' is not assignable to type 'string'."],
    ],
    [
      { operation: 'workspaceDiagnostics', filePath: 'src/a.ts' },
      [
        "src/b.ts:2:30: error 2322: Type 'number' is not assignable to type 'string'.",
        "src/c.ts:1:18: error 2304: Cannot find name 'twice'.",
      ],
    ],
  ])('%o', async (args, expected) => {
    const text = await ask(args)
    expect(text.split('\n').filter((each) => each !== '')).toEqual(expected)
  })

  test('incomingCalls', async () => {
    const text = await ask({ operation: 'incomingCalls', ...twice })
    expect(text).toContain(`function four, src/b.ts:3:17: ${line(3)}`)
    expect(text).toContain('  called at src/b.ts:3:47: ')
    expect(text).toContain('method area, src/a.ts:4:40: ')
  })

  test('codeActions', async () => {
    const text = await ask({ operation: 'codeActions', filePath: 'src/c.ts', line: 1 })
    expect(text).toContain('Add import from "./a.js" (quickfix')
  })
})

describe('a folder', () => {
  const diagnostics = async (root: Project['host'], args: object): Promise<unknown> => {
    const options = {
      tools: createTools(root),
      permissions: { rules: [] },
      fileSystem: root.fileSystem,
    }
    return await execute({ id: '1', name: 'get_diagnostics', args: { ...args } }, options)
  }

  // This also starts pyright.
  longTest('is checked by get_diagnostics without a file, in all of its languages', async () => {
    const mixed = createProject({
      'a.ts': 'export const a: string = 1\n',
      'lib/b.py': 'b: str = 1\n',
      'notes.txt': 'a: string = 1\n',
    })
    try {
      expect(await diagnostics(mixed.host, {})).toMatchObject({
        result: { diagnostics: [{ path: 'a.ts' }, { path: 'lib/b.py' }], count: 2 },
      })
      const lsp = lspTool(mixed.host)
      const args = { operation: 'workspaceDiagnostics', filePath: 'lib' } as const
      expect(await lsp.execute(args, contextOf())).toMatchObject({
        diagnostics: [{ path: 'lib/b.py' }],
        files: 1,
        files_total: 1,
        server: 'pyright',
      })
    } finally {
      await mixed.close()
    }
  })

  test('fails with a reason without source files, or if it is missing', async () => {
    project.write('plain/notes.txt', 'nothing\n')
    const args = { operation: 'workspaceDiagnostics' } as const
    expect(await failureOf(ask({ ...args, filePath: 'plain' }))).toMatchObject({
      errorType: 'not_found',
      message: expect.stringContaining('plain contains no readable file') as string,
    })
    expect((await failureOf(ask({ ...args, filePath: 'none' }))).errorType).toBe('not_found')
  })
})

test('also returns the result as data', async () => {
  const lsp = lspTool(project.host)
  const args = { operation: 'goToDefinition', ...twice } as const
  expect(await lsp.execute(args, contextOf())).toEqual({
    operation: 'goToDefinition',
    locations: [
      { path: 'src/a.ts', line: 2, character: 17, text: files['src/a.ts'].split('\n')[1] },
    ],
    total: 1,
    truncated: false,
    server: 'typescript',
  })
})

test('treats an emoji as one character, although the server counts two', async () => {
  const place = { filePath: 'src/b.ts', line: 2, character: 42 }
  expect(await ask({ operation: 'goToDefinition', ...place })).toContain('src/a.ts:2:17')
  const before = { ...place, character: 41 }
  expect(await ask({ operation: 'goToDefinition', ...before })).toMatch(/^No definition found/)
})

test('omits and counts locations outside the workspace', async () => {
  const args = {
    operation: 'goToDefinition',
    filePath: 'src/b.ts',
    line: 4,
    character: 24,
  } as const
  expect(await ask(args)).toBe(
    'No definition found at src/b.ts:4:24.\n(1 is left out: outside the workspace, or not readable.)',
  )
})

describe('an unreadable file', () => {
  const mayShow = (path: string): boolean => !path.endsWith('/keys.ts')
  const place = { filePath: 'src/d.ts', line: 2, character: 23 }

  test('does not appear in results', async () => {
    expect(await ask({ operation: 'hover', ...place })).toContain('sesame')
    for (const operation of ['hover', 'goToDefinition', 'findReferences'] as const) {
      const text = await ask({ operation, ...place }, { mayShow })
      expect(text).not.toContain('sesame')
      expect(text).toContain('(1 is left out: ')
    }
    const symbol = { operation: 'workspaceSymbol', filePath: 'src/d.ts', query: 'key' } as const
    expect(await ask(symbol)).toContain('keys.ts')
    expect(await ask(symbol, { mayShow })).not.toContain('keys.ts')
    const all = { operation: 'workspaceDiagnostics', filePath: 'src/d.ts' } as const
    const result = await lspTool(project.host).execute(all, contextOf({ mayShow }))
    expect(result).toMatchObject({ files: 4, files_total: 4 })
  })

  test('does not appear in hovers of lines that use it', async () => {
    const askWithoutSecret = async (args: LSPArguments): Promise<string> => {
      expect(await ask(args)).toContain('sesame')
      const text = await ask(args, { mayShow })
      expect(text).not.toContain('sesame')
      return text
    }
    // A name in another file whose type is defined in the unreadable file.
    await askWithoutSecret({ operation: 'hover', filePath: 'src/d.ts', line: 2, character: 14 })
    project.write('use/f.ts', `import { key } from '../src/keys.js'\nexport const n: 'x' = key\n`)
    const text = await askWithoutSecret({ operation: 'diagnostics', filePath: 'use/f.ts' })
    expect(text).toMatch(/^use\/f\.ts:2:14: error 2322: not shown, because /)
    await askWithoutSecret({ operation: 'workspaceDiagnostics', filePath: 'use/f.ts' })
    // Unrelated hovers are shown.
    expect(await ask({ operation: 'hover', ...twice }, { mayShow })).toContain('Doubles.')
    const other = await ask({ operation: 'diagnostics', filePath: 'src/b.ts' }, { mayShow })
    expect(other).toContain("Type 'number' is not assignable to type 'string'.")
    project.write('use/g.ts', `export const k = key\n`)
    const actions = { operation: 'codeActions', filePath: 'use/g.ts', line: 1 } as const
    expect(await ask(actions)).toContain('keys')
    expect(await ask(actions, { mayShow })).not.toContain('keys')
    const edit = { file_path: 'use/f.ts', old_string: `n: 'x'`, new_string: `n: 'y'` }
    const { diagnostics } = await editTool(project.host).execute(edit, contextOf({ mayShow }))
    expect(JSON.stringify(diagnostics ?? [])).not.toContain('sesame')
  })

  test('cannot be queried', async () => {
    const args = { operation: 'documentSymbol', filePath: 'src/keys.ts' } as const
    expect((await failureOf(ask(args, { mayShow }))).errorType).toBe('permission_denied')
    const { rules } = readRules({ deny: ['Read(src/keys.ts)'] })
    const { host } = project
    const outcome = await execute(
      { id: '1', name: 'LSP', args: { operation: 'documentSymbol', file_path: 'src/keys.ts' } },
      { tools: createTools(host), permissions: { rules }, fileSystem: host.fileSystem },
    )
    expect(outcome).toMatchObject({ failure: { error_type: 'permission_denied' } })
  })
})

describe('a file that changes between calls', () => {
  test('is queried with its current content, as are other and new files', async () => {
    project.write('change/one.ts', `import { two } from './two.js'\nexport const one = two\n`)
    project.write('change/two.ts', `export const two = 2\n`)
    const at = { operation: 'goToDefinition', filePath: 'change/one.ts' } as const
    const first = { ...at, line: 2, character: 20 }
    expect(await ask(first)).toContain('change/two.ts:1:14')
    await ask({ operation: 'diagnostics', filePath: 'change/two.ts' })

    project.write('change/two.ts', `\n\nexport const two = 2\n`)
    expect(await ask(first)).toContain('change/two.ts:3:14')

    project.write('change/one.ts', `\nimport { two } from './two.js'\nexport const one = two\n`)
    expect(await ask({ ...at, line: 3, character: 20 })).toContain('change/two.ts:3:14')

    project.write('change/one.ts', `import { three } from './three.js'\nexport const one = three\n`)
    const diagnostics = { operation: 'diagnostics', filePath: 'change/one.ts' } as const
    expect(await ask(diagnostics)).toContain('Cannot find module')
    project.write('change/three.ts', `export const three = 3\n`)
    expect(await ask(diagnostics)).toBe('No problems in change/one.ts.')
  })
})

describe('errors after Write and Edit', () => {
  test('are reported if they are new', async () => {
    const edit = editTool(project.host)
    const write = writeTool(project.host)
    project.write('made/a.ts', `export const one: string = 1\nexport const two = 2\n`)
    project.write('made/b.ts', '')
    // Write and Edit wait for at most two seconds, so the server must have loaded the files.
    for (const filePath of ['made/a.ts', 'made/b.ts'])
      await ask({ operation: 'diagnostics', filePath })
    const change = { file_path: 'made/a.ts', old_string: 'two = 2', new_string: 'two: string = 2' }
    const result = await edit.execute(change, contextOf())
    expect(result.diagnostics).toMatchObject([
      { path: 'made/a.ts', line: 2, character: 14, severity: 'error', code: '2322' },
    ])
    expect(edit.show!(result, change)).toContain('New errors:\nmade/a.ts:2:14: error 2322: ')

    const next = { ...change, old_string: 'string = 2', new_string: 'number = 2' }
    expect(await edit.execute(next, contextOf())).not.toHaveProperty('diagnostics')
    const made = { file_path: 'made/b.ts', content: `import { two } from './a.js'\ntwo()\n` }
    expect((await write.execute(made, contextOf())).diagnostics).toHaveLength(1)
    const plain = { file_path: 'made/notes.txt', content: 'two()\n' }
    expect(await write.execute(plain, contextOf())).not.toHaveProperty('diagnostics')
  })
})

describe('an operation that fails explains why', () => {
  test.each<[LSPArguments, ToolError['errorType'], RegExp]>([
    [{ operation: 'hover', filePath: 'src/a.ts' }, 'invalid_input', /requires line and character/],
    [{ operation: 'workspaceSymbol', filePath: 'src/a.ts' }, 'invalid_input', /requires query/],
    [
      { operation: 'workspaceSymbol', filePath: 'src/c.ts', line: 1, character: 17 },
      'invalid_input',
      /there is no name at 1:17\. The line is/,
    ],
    [
      { operation: 'hover', ...twice, line: 99 },
      'invalid_input',
      /b\.ts has only 5 lines, so there is no line 99/,
    ],
    [
      { operation: 'hover', ...twice, character: 999 },
      'invalid_input',
      /has 79 characters, so there is no character 999/,
    ],
    [{ operation: 'diagnostics', filePath: 'src/e.ts' }, 'not_found', /Did you mean src\/[abcd]/],
    [
      { operation: 'diagnostics', filePath: 'notes.foo' },
      'invalid_input',
      /no language server for \.foo files.+\.ts .+\.py .+languageServers/,
    ],
  ])('%o', async (args, type, message) => {
    const failure = await failureOf(ask(args))
    expect(failure.errorType).toBe(type)
    expect(failure.message).toMatch(message)
  })
})

test.skipIf(await lacks('linux'))(
  'restarts a server killed during a request after an error; closing the host leaves none running',
  async () => {
    await ask({ operation: 'hover', ...twice })
    const before = project.servers()
    expect(before.length).toBeGreaterThan(0)
    for (const { pid } of before) process.kill(pid, 'SIGSTOP')
    const failing = failureOf(ask({ operation: 'hover', ...twice }))
    // The request has been sent, and a suspended server cannot answer.
    await new Promise((resolve) => setTimeout(resolve, 500))
    for (const { pid } of before) process.kill(pid, 'SIGKILL')
    const failure = await failing
    expect(failure.message).toMatch(/typescript was killed by SIGKILL.+restarts it/)
    expect(failure.details).toMatchObject({ code: 'server_ended' })

    expect(await ask({ operation: 'hover', ...twice })).toContain('Doubles.')
    const again = project.servers()
    expect(again.length).toBeGreaterThan(0)
    await project.host.close()
    expect([...before, ...again].filter(({ pid }) => lives(pid))).toEqual([])
    expect(project.servers()).toEqual([])
    const late = await failureOf(ask({ operation: 'hover', ...twice }))
    expect(late.message).toMatch(/host is closed/)
  },
)
