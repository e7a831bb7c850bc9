import { copyFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { execute } from '@toolglot/agent'
import { readRules, type Rule } from '@toolglot/permissions'
import { expect, test } from 'vitest'
import { createTools } from '../create-tools.ts'
import { machine } from '../../test/machine.ts'

const { rules } = readRules({ allow: ['Bash(seq:*)', 'Bash(tail:*)'] })
const { rules: denying } = readRules({ deny: ['Read(*.log)'] })

async function counted() {
  const { host } = await machine()
  const tools = createTools(host)
  const call = (name: string, args: Record<string, unknown>, more: readonly Rule[] = []) =>
    execute(
      { id: '1', name, args },
      { tools, permissions: { rules: [...rules, ...more] }, fileSystem: host.fileSystem },
    )
  const outcome = await call('Bash', { command: 'seq 1 20000' })
  const { result } = outcome as { result: { output_file: string; truncated: boolean } }
  expect(result.truncated).toBe(true)
  return { call, log: result.output_file }
}

test('the complete output of a command can be read and searched, even though it is outside the workspace', async () => {
  const { call, log } = await counted()
  expect(await call('Read', { file_path: log, offset: 9000, limit: 1 })).toMatchObject({
    text: expect.stringContaining('9000\t9000') as string,
  })
  expect(await call('Grep', { pattern: '^12345$', path: log })).toMatchObject({
    result: { total_matches: 1 },
  })
  expect(await call('Bash', { command: `tail -n 1 ${log}` })).toMatchObject({ text: '20000' })
})

test('files next to it and denied files cannot be read, and it cannot be written', async () => {
  const { call, log } = await counted()
  const beside = join(dirname(log), 'other.log')
  await copyFile(log, beside)
  const refused = { failure: { error_type: 'permission_denied' } }
  expect(await call('Read', { file_path: beside })).toMatchObject(refused)
  expect(await call('Grep', { pattern: '1', path: dirname(log) })).toMatchObject(refused)
  expect(await call('Read', { file_path: log }, denying)).toMatchObject(refused)
  const change = { file_path: log, old_string: '9000', new_string: '' }
  expect(await call('Edit', change)).toMatchObject(refused)
  const others = await counted()
  expect(await others.call('Read', { file_path: log })).toMatchObject(refused)
})
