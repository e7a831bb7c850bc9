import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProject, type Project } from '../../test/project.ts'
import { contextOf } from '../../test/workspace.ts'
import { type LSPArguments, lspTool } from './lsp.ts'

const files = {
  'pyrightconfig.json': '{}',
  'a.py': `class Shape:
    def area(self) -> int:
        """How large it is."""
        return twice(2)

def twice(n: int) -> int:
    return n * 2
`,
  'b.py': `from a import Shape, twice

def four() -> int:
    return twice(twice(1))

s = '😀'; x: str = twice(2)
`,
}

let project: Project
beforeAll(() => {
  project = createProject(files)
})
afterAll(() => project.close())

async function ask(args: LSPArguments): Promise<string> {
  const lsp = lspTool(project.host)
  return lsp.show!(await lsp.execute(args, contextOf()), args)
}

const twice = { filePath: 'b.py', line: 4, character: 12 }

test.each<[LSPArguments, string]>([
  // The first call starts the server, which takes a while.
  [{ operation: 'diagnostics', filePath: 'b.py' }, 'b.py:6:19: error reportAssignmentType: '],
  [{ operation: 'hover', ...twice }, 'def twice(n: int) -> int'],
  [{ operation: 'goToDefinition', ...twice }, 'a.py:6:5: def twice(n: int) -> int:'],
  [{ operation: 'findReferences', ...twice }, "b.py:6:19: s = '😀'; x: str = twice(2)"],
  [{ operation: 'documentSymbol', filePath: 'a.py' }, 'class Shape 1:7\n  method area 2:9'],
  [{ operation: 'workspaceSymbol', filePath: 'b.py', query: 'Shape' }, 'class Shape, a.py:1:7'],
  [{ operation: 'prepareCallHierarchy', ...twice }, 'function twice, a.py:6:5'],
  [{ operation: 'incomingCalls', ...twice }, 'area, a.py:2:9'],
  [{ operation: 'outgoingCalls', filePath: 'b.py', line: 3, character: 5 }, 'b.py:4:18: '],
  [{ operation: 'workspaceDiagnostics', filePath: 'a.py' }, 'b.py:6:19: error'],
])('pyright: %o', async (args, expected) => {
  expect(await ask(args)).toContain(expected)
})

test('explains that pyright cannot find implementations', async () => {
  const asked = ask({ operation: 'goToImplementation', ...twice })
  await expect(asked).rejects.toThrow(/pyright reports: .+ It does not support this\./)
})

test('a file that is not open changes between calls', async () => {
  project.write('a.py', `\n\n${files['a.py']}`)
  expect(await ask({ operation: 'goToDefinition', ...twice })).toContain('a.py:8:5')
})
