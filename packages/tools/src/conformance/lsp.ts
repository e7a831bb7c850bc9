import { deepEqual, equal, match } from 'node:assert/strict'
import type { FoundPlace, FoundSymbol } from '../lsp/result.ts'
import { type CheckContext, type Check, check } from './check.ts'

const GREET =
  '/** Says hello. */\nexport function greet(name: string): string {\n  return `Hello, ${name}`\n}\n'
const MAIN =
  "import { greet } from './greet.js'\n\nexport function main(): void {\n  console.log(greet('you'))\n}\n"

async function askAbout(
  context: CheckContext,
  operation: string,
  place: { filePath: string; line?: number; character?: number },
) {
  const options = { strict: true, module: 'nodenext', lib: ['es2022', 'dom'], types: [] }
  await context.put('tsconfig.json', JSON.stringify({ compilerOptions: options }))
  await context.put('package.json', JSON.stringify({ name: 'greeting', type: 'module' }))
  await context.put('greet.ts', GREET)
  await context.put('main.ts', MAIN)
  return context.result('LSP', { operation, ...place })
}

/** The position of the call to `greet`. */
const called = { filePath: 'main.ts', line: 4, character: 15 }

/** Checks of LSP. */
export const lsp: readonly Check[] = [
  check(
    'T2.2',
    'LSP: the definition of a name',
    async (context) => {
      const { locations } = await askAbout(context, 'goToDefinition', called)
      deepEqual((locations as FoundPlace[]).map(placeOf), ['greet.ts:2:17'])
    },
    { needs: 'language' },
  ),

  check(
    'T2.2',
    'LSP: its references',
    async (context) => {
      const { locations } = await askAbout(context, 'findReferences', called)
      const found = (locations as FoundPlace[]).map(placeOf).sort()
      deepEqual(found, ['greet.ts:2:17', 'main.ts:1:10', 'main.ts:4:15'])
    },
    { needs: 'language' },
  ),

  check(
    'T2.2',
    'LSP: its hover text',
    async (context) => {
      const { contents } = await askAbout(context, 'hover', called)
      match(String(contents), /greet\(name: string\): string[\s\S]*Says hello\./)
    },
    { needs: 'language' },
  ),

  check(
    'T2.2',
    'LSP: the symbols of a file',
    async (context) => {
      const { symbols } = await askAbout(context, 'documentSymbol', { filePath: 'greet.ts' })
      const [first] = symbols as FoundSymbol[]
      deepEqual([first?.name, first?.kind, first?.line], ['greet', 'function', 2])
    },
    { needs: 'language' },
  ),

  check('T2.2', 'LSP: a missing file', async ({ failure }) => {
    const args = { operation: 'documentSymbol', filePath: 'none.ts' }
    equal((await failure('LSP', args)).error_type, 'not_found')
  }),
]

function placeOf({ path, line, character }: FoundPlace): string {
  return `${path}:${line}:${character}`
}
