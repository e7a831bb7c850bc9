import { expect, test } from 'vitest'
import { colorsOf } from '../../terminal.ts'
import { showCallLine } from './call-line.ts'

const colors = colorsOf({ isTTY: false } as never, {})

test.each([
  [{ description: 'ls', command: 'rm -r src' }, '→ Bash rm -r src'],
  [{ cwd: 'ls', command: 'rm -r src' }, '→ Bash rm -r src'],
  [{ description: 'ls', file_path: 'a.txt' }, '→ Bash a.txt'],
  [{ description: 'about it' }, '→ Bash about it'],
  [{ n: 1 }, '→ Bash'],
])('%j is shown with its effect, in any order of arguments', (args, line) => {
  expect(showCallLine({ name: 'Bash', args }, colors, 80).split('  ')[0]).toBe(line)
})
