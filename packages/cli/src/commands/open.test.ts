import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { spawned } from '../../test/spawned.ts'
import { until } from '../../../../tests/helpers/until.ts'
import { freePort } from '../../../../tests/helpers/free-ports.ts'

/** A fake browser: it records the files that it opens, and keeps copies. */
function fakeBrowser(): { readonly program: string; readonly opened: () => string[] } {
  const folder = folderOf()
  const program = join(folder, 'browser')
  const list = join(folder, 'opened')
  writeFileSync(
    program,
    `#!/bin/sh\necho "$1" >> '${list}'\nstat -c %a "\${1#file://}" >> '${list}'\ncat "\${1#file://}" >> '${list}'\n`,
  )
  chmodSync(program, 0o755)
  return {
    program,
    opened: () => (existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n') : []),
  }
}

const LINK = /^ {2}(http:\/\/127\.0\.0\.1:\d+\/\S*#login=\S+)$/m

test('prints a one-time link without a browser, and works in the given folder', async () => {
  const home = folderOf()
  const folder = folderOf()
  const command = spawned([folder, '--port', '0'], { env: { HOME: home, NO_COLOR: '1' } })
  const [, link = ''] = await command.until(LINK)
  expect(command.errors()).toContain('This is a built-in demo script, not an AI.')
  expect(command.errors()).toContain('Open this link in a browser.')
  const code = new URL(link).hash.slice('#login='.length)
  const { origin } = new URL(link)
  const logIn = (): Promise<Response> =>
    fetch(`${origin}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-toolglot': '1', origin },
      body: JSON.stringify({ code }),
    })
  const session = await logIn()
  expect(session.status).toBe(204)
  expect((await logIn()).status).toBe(401)
  const cookie = session.headers.get('set-cookie')!.split(';')[0]!
  const status = await fetch(`${origin}/api/status`, { headers: { cookie } })
  expect(await status.json()).toMatchObject({ folder })
  // Requests from the page are not logged here.
  expect(command.output()).toBe('')
})

test('opens a file that only this user can read in the browser, and a second start uses the first server', async () => {
  const home = folderOf()
  const { program, opened } = fakeBrowser()
  const env = { HOME: home, NO_COLOR: '1', BROWSER: program }
  const port = await freePort()
  const first = spawned(['open', '--port', `${port}`, '-m', 'script'], { env })
  const [, link = ''] = await first.until(LINK)
  await until(opened, ({ length }) => length === 3)
  const [address = '', mode, html] = opened()
  expect(address).not.toContain('login')
  expect(mode).toBe('600')
  expect(html).toContain(`url=${link}"`)

  const other = folderOf()
  const second = spawned([other], { env })
  await until(opened, ({ length }) => length === 6)
  // The command waits for the browser to read the file, unless it is stopped.
  second.child.kill('SIGINT')
  expect(await second.ended()).toBe(0)
  expect(second.errors()).toContain('already running')
  expect(LINK.exec(second.errors())?.[1]).toContain(`/chat?folder=${encodeURIComponent(other)}#`)
  // The file has been removed.
  expect(existsSync(fileURLToPath(opened()[3]!))).toBe(false)
})
