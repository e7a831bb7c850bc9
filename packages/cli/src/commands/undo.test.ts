import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { household } from '../../test/household.ts'

const editing = ['run', '-m', 'script', 'Create hello.txt and edit it', '--allow', 'Edit(**)']

test('undoes the changes of a run', async () => {
  const { start } = household()
  for (const named of [/"run":"(run-\w+)"/, 'last']) {
    const { output } = await start([...editing, '--json'])
    const run = typeof named === 'string' ? named : named.exec(output)![1]!
    expect((await start(['undo', run])).output).toMatch(/^removed +\S+hello\.txt\n$/)
  }
  const nothing = await start(['undo', 'last'])
  expect(nothing).toMatchObject({ code: 1, output: '' })
  expect(nothing.errors).toContain('Nothing to undo')
  expect((await start(['undo', 'nothing'])).errors).toContain("No run named 'nothing'")
})

test('undoes a change of exec unless the file has changed since', async () => {
  const { cwd, start } = household()
  const file = join(cwd, 'new.txt')
  const args = JSON.stringify({ file_path: file, content: 'x' })
  const { errors } = await start(['exec', 'Write', args, '--allow', 'Edit(*.txt)'])
  const [, id = ''] = /toolglot undo (exec-\w+)/.exec(errors)!
  writeFileSync(file, 'mine')
  const refused = await start(['undo', id, '--json'])
  expect(refused.code).toBe(1)
  expect(JSON.parse(refused.output)).toMatchObject([{ path: file, status: 'refused' }])
  writeFileSync(file, 'x')
  expect(await start(['undo', id])).toMatchObject({ code: 0 })
  expect(existsSync(file)).toBe(false)
})
