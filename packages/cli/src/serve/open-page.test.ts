import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { browserOf } from './open-page.ts'

describe('a browser', () => {
  const program = process.execPath
  const screen = { PATH: '/nothing', DISPLAY: ':0' }

  test.each([
    ['a connection from elsewhere', { BROWSER: program, SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }],
    ['a pipeline', { BROWSER: program, CI: '1' }],
    ['no screen', { PATH: process.env['PATH'] }],
    ['no program that opens one', screen],
    ['a program that is not there', { ...screen, BROWSER: '/nothing/browser' }],
  ])('is not opened with %s', (_, env) => {
    expect(browserOf(env, 'linux')).toBeUndefined()
  })

  test('leaves no files behind if it cannot be started', async () => {
    const broken = join(folderOf(), 'browser')
    writeFileSync(broken, '#!/nothing/interpreter\n')
    chmodSync(broken, 0o755)
    const folder = folderOf()
    browserOf({ BROWSER: broken }, 'linux')!('http://127.0.0.1:1/#login=x', folder)
    await vi.waitFor(() => expect(readdirSync(folder)).toEqual([]), { timeout: 10_000 })
  })
})
