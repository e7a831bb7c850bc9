import { expect, test } from 'vitest'
import { callPart } from '../rows/example-parts.ts'
import { changedFiles } from './changed-files.tsx'

test('groups changes by file and adds up their lines', () => {
  const calls = [
    callPart({ id: 'a', args: { old_string: 'x', new_string: 'y\nz' } }),
    callPart({ id: 'b', args: { content: '1\n2\n3\n' } }),
  ]
  const changes = [
    { path: '/work/src/a.ts', call: 'a' },
    { path: '/work/src/a.ts', call: 'b' },
    { path: '/workers/b.ts', call: 'unknown' },
    { path: '/work/c.ts' },
  ]
  const files = changedFiles(changes, '/work', (id) => calls.find((call) => call.id === id))
  expect(files).toEqual([
    { path: '/work/src/a.ts', shortPath: 'src/a.ts', added: 5, removed: 1 },
    { path: '/workers/b.ts', shortPath: '/workers/b.ts', added: 0, removed: 0 },
    { path: '/work/c.ts', shortPath: 'c.ts', added: 0, removed: 0 },
  ])
})
