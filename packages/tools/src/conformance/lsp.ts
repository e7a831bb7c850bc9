import { deepEqual, equal, match } from 'node:assert/strict'
import type { FoundPlace, FoundSymbol } from '../lsp/result.ts'
import { type Bench, type Check, check } from './check.ts'

const GREET =
  '/** Says hello. */\nexport function greet(name: string): string {\n  return `Hello, ${name}`\n}\n'
const MAIN =
  "import { greet } from './greet.js'\n\nexport function main(): void {\n  console.log(greet('you'))\n}\n"

async function asked(
  bench: Bench,
  operation: string,
  place: { filePath: string; line?: number; character?: number },
) {
  const options = { strict: true, module: 'nodenext', lib: ['es2022', 'dom'], types: [] }
  await bench.put('tsconfig.json', JSON.stringify({ compilerOptions: options }))
  await bench.put('package.json', JSON.stringify({ name: 'greeting', type: 'module' }))
  await bench.put('greet.ts', GREET)
  await bench.put('main.ts', MAIN)
  return bench.result('LSP', { operation, ...place })
}

/** Where `greet` is called. */
const called = { filePath: 'main.ts', line: 4, character: 15 }

export const lsp: readonly Check[] = [
  check(
    'T2.2',
    'LSP: where a name is defined',
    async (bench) => {
      const { locations } = await asked(bench, 'goToDefinition', called)
      deepEqual((locations as FoundPlace[]).map(placeOf), ['greet.ts:2:17'])
    },
    { needs: 'language' },
  ),

  check(
    'T2.2',
    'LSP: where it is used',
    async (bench) => {
      const { locations } = await asked(bench, 'findReferences', called)
      const found = (locations as FoundPlace[]).map(placeOf).sort()
      deepEqual(found, ['greet.ts:2:17', 'main.ts:1:10', 'main.ts:4:15'])
    },
    { needs: 'language' },
  ),

  check(
    'T2.2',
    'LSP: what is known of it',
    async (bench) => {
      const { contents } = await asked(bench, 'hover', called)
      match(String(contents), /greet\(name: string\): string[\s\S]*Says hello\./)
    },
    { needs: 'language' },
  ),

  check(
    'T2.2',
    'LSP: the symbols of a file',
    async (bench) => {
      const { symbols } = await asked(bench, 'documentSymbol', { filePath: 'greet.ts' })
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
