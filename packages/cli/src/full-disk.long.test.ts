import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { smallDisk } from '../../agent/test/small-disk.ts'
import { lacks } from '../../../tests/helpers/abilities.ts'

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

const STACK = /\s+at \S+ \(|node:internal|Uncaught/

const disk = (await lacks('mount')) ? undefined : smallDisk(256)
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
    expect(stderr).not.toMatch(STACK)
  })
})

describe.skipIf(!disk)('a disk that filled up after the tokens were created', () => {
  test('is reported by toolglot serve in one sentence', async () => {
    const home = join(disk!.folder, 'home')
    disk!.readOnly(false)
    disk!.free()
    mkdirSync(join(home, 'project'), { recursive: true })
    const options = {
      cwd: join(home, 'project'),
      env: { PATH: process.env['PATH'], HOME: home },
    }
    expect(spawnSync(process.execPath, [bin, 'token'], options).status).toBe(0)
    disk!.fill(0)
    const server = spawn(process.execPath, [bin, 'serve', '--port', '0'], options)
    const closed = once(server, 'close')
    let text = ''
    for (const stream of [server.stdout, server.stderr])
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        // The server keeps running, since reading needs no disk space.
        if (text.includes('no space left')) server.kill()
      })
    await closed
    expect(text).toContain('no space left')
    expect(text).not.toMatch(STACK)
  })
})
