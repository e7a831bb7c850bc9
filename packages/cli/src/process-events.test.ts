import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { folderOf } from '../../../tests/helpers/folder.ts'
import { spawnCommand } from '../test/spawn-command.ts'
import { talkingServer } from '../test/talking-server.ts'
import { share } from '../../../tests/helpers/size.ts'

/** Causes an unhandled rejection on a signal. */
const code = `process.on('SIGUSR2', () => void Promise.reject(new Error('left\\x1b[2J behind')))`

test.each(share(['run', 'chat'], 2))(
  '%s keeps running after an unhandled rejection',
  async (name) => {
    const cwd = folderOf({ 'stray.mjs': code })
    const server = await talkingServer((response) => {
      child.kill('SIGUSR2')
      void once(child.stderr, 'data').then(() => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const message = { content: 'Still here.' }
        response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }))
      })
    })
    const child = spawnCommand([name, '-m', server.model, '--cwd', cwd], {
      HOME: folderOf(),
      NODE_OPTIONS: `--import=${pathToFileURL(join(cwd, 'stray.mjs')).href}`,
    })
    let output = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk))
    child.stdin.end('Hello?\n')
    const [exit] = (await once(child, 'close')) as [number | null]
    expect({ exit, output }).toEqual({ exit: 0, output: 'Still here.\n' })
    expect(errors).toContain("a tool's background work failed: left\\x1b[2J behind")
  },
)
