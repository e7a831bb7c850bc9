import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { ModelError } from '../model/model-error.ts'
import { templateFiles } from './template-files.ts'

test('paths are relative to the place of the reference', () => {
  expect(templateFiles.resolve('a/t.jinja', { cwd: '/work' })).toBe('/work/a/t.jinja')
  expect(templateFiles.resolve('~/t.jinja', { cwd: '/work', home: '/home/me' })).toBe(
    '/home/me/t.jinja',
  )
  expect(templateFiles.resolve('/t.jinja', {})).toBe('/t.jinja')
  expect(() => templateFiles.resolve('t.jinja', {})).toThrow(TypeError)
})

test('files are read, and unreadable ones are reported with their path', () => {
  const folder = folderOf()
  const file = join(folder, 't.json')
  writeFileSync(file, '\ufeff{"chat_template": "é"}')
  expect(templateFiles.read(file)).toBe('{"chat_template": "é"}')
  writeFileSync(file, Uint8Array.of(0xff, 0xfe))
  expect(() => templateFiles.read(file)).toThrow(/it is not UTF-8\. Check the path/)
  expect(() => templateFiles.read(join(folder, 'x'))).toThrow(/it does not exist/)
  expect(() => templateFiles.read(folder)).toThrow(ModelError)
})
