import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { smallDisk } from '../../agent/test/small-disk.ts'

const bin = fileURLToPath(new URL('../bin/toolglot.js', import.meta.url))
const COMMANDS = [
  ['token'],
  ['token', 'create', 'a'],
  ['token', 'rotate'],
  ['config', 'set', 'model', 'ollama/a'],
  ['models', 'use', 'ollama/a'],
  ['trust', '--yes'],
  ['connect', 'claude-code', '--write'],
  ['exec', 'Write', '{"file_path": "a.txt", "content": "a"}', '--allow', 'Write'],
  ['exec', 'Bash', '{"command": "true"}', '--allow', 'Bash(true)'],
  ['runs'],
  ['runs', 'import', '/dev/null'],
  ['runs', 'keep', '--days', '9'],
  ['run', '--model', 'demo', 'hello'],
  ['undo'],
  ['doctor'],
  ['serve', '--port', '0'],
]

const disk = smallDisk(256)
afterAll(() => disk?.remove())

describe.skipIf(!disk).each(['full', 'read-only'] as const)('on a %s disk', (kind) => {
  test.each(COMMANDS)('toolglot %s %s %s ends without a stack trace', (...words) => {
    const home = join(disk!.folder, 'home')
    disk!.readOnly(false)
    disk!.free()
    mkdirSync(join(home, 'project'), { recursive: true })
    if (kind === 'full') disk!.fill(0)
    else disk!.readOnly(true)
    const { status, stderr, signal } = spawnSync(
      process.execPath,
      [bin, ...words.filter(Boolean)],
      {
        cwd: join(home, 'project'),
        env: { PATH: process.env['PATH'], HOME: home },
        encoding: 'utf8',
        timeout: 30_000,
      },
    )
    expect({ status, signal }).toEqual({ status: expect.any(Number), signal: null })
    expect(stderr).not.toMatch(/\n\s+at |node:internal|Uncaught/)
  })
})
