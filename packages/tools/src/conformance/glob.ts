import { deepEqual, equal } from 'node:assert/strict'
import { utimes } from 'node:fs/promises'
import { type Check, check } from './check.ts'

const files = ['main.go', 'pkg/server.go', 'pkg/deep/handler.go', 'docs/a.md', 'README.md']

/** Checks of Glob. */
export const glob: readonly Check[] = [
  check('T1.4', 'Glob: one folder, and all below', async ({ put, result }) => {
    for (const name of files) await put(name, 'x\n')
    deepEqual((await result('Glob', { pattern: '*.go' }))['files'], ['main.go'])
    const { files: found, count } = await result('Glob', { pattern: '**/*.go' })
    deepEqual([...(found as string[])].sort(), ['main.go', 'pkg/deep/handler.go', 'pkg/server.go'])
    equal(count, 3)
  }),

  check('T1.4', 'Glob: below a folder only', async ({ put, path, result }) => {
    for (const name of files) await put(name, 'x\n')
    deepEqual((await result('Glob', { pattern: '*.md', path: path('docs') }))['files'], [
      'docs/a.md',
    ])
  }),

  check('T1.4', 'Glob: most recently modified first, then by name', async (context) => {
    for (const [at, name] of ['c.txt', 'a.txt', 'b.txt', 'new.txt'].entries()) {
      await context.put(name, 'x\n')
      await utimes(context.path(name), 0, at === 3 ? 2000 : 1000)
    }
    const { files: found } = await context.result('Glob', { pattern: '*.txt' })
    deepEqual(found, ['new.txt', 'a.txt', 'b.txt', 'c.txt'])
  }),

  check('T1.4', 'Glob: no match, and a missing folder', async ({ result, failure }) => {
    deepEqual((await result('Glob', { pattern: '*.rs' }))['files'], [])
    equal((await failure('Glob', { pattern: '*', path: 'none' })).error_type, 'not_found')
  }),
]
