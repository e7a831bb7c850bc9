import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { startCommand } from '../../test/start-command.ts'

async function listed(...words: string[]): Promise<string[]> {
  const { output } = await startCommand(['tools', '--json', ...words])
  const tools = JSON.parse(output) as { type: string; function: { name: string } }[]
  expect(tools.every(({ type }) => type === 'function')).toBe(true)
  return tools.map((tool) => tool.function.name)
}

test('lists the tools by level with their parameters and other names', async () => {
  const { code, output } = await startCommand(['tools'])
  expect(code).toBe(0)
  expect(output).toMatch(/^Level 1\n {2}Read {2}\{file_path, offset\?/)
  expect(output).toMatch(/\nOther names\n[^]*read_file, write_file/)
  expect(output).not.toContain('Turned off')
})

test('lists the tools in the OpenAI format, or their aliases', async () => {
  const names = ['Read', 'Write', 'Edit', 'Glob', 'Grep', 'Bash']
  expect(await listed()).toEqual(expect.arrayContaining(names))
  expect(await listed('--aliases')).toContain('bash')
})

test('--lint checks the descriptions of our tools, or of those in a file', async () => {
  expect(await startCommand(['tools', '--lint'])).toMatchObject({ code: 0 })
  const file = join(folderOf({ 'tools.json': [{ name: 'go', parameters: {} }] }), 'tools.json')
  const { code, output } = await startCommand(['tools', '--lint', file])
  expect(code).toBe(1)
  expect(output).toMatch(/^go: /)
})
