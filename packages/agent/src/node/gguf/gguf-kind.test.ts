import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sharedFolderOf } from '../../../../../tests/helpers/folder.ts'
import { writeGguf } from '../../../test/write-gguf.ts'
import { modelKinds } from '../../model/find/kinds/index.ts'
import { ggufKind as kind } from './gguf-kind.ts'

const place = { cwd: '/work', home: '/home/me' }

describe('names', () => {
  test.each([
    ['./qwen.gguf', '/work/qwen.gguf'],
    ['../qwen.GGUF', '/qwen.GGUF'],
    ['qwen.gguf', '/work/qwen.gguf'],
    ['/models/../qwen.gguf', '/qwen.gguf'],
    ['~/models/qwen.gguf', '/home/me/models/qwen.gguf'],
    ['gguf:models/qwen.gguf', '/work/models/qwen.gguf'],
    ['gguf:/blobs/sha256-1234', 'gguf:/blobs/sha256-1234'],
  ])('%s is %s', (text, expected) => {
    expect(kind.matches(text)).toBe(true)
    const reference = kind.parse(text, place)
    expect(reference).toBe(expected)
    expect(kind.matches(reference)).toBe(true)
    expect(kind.parse(reference, {})).toBe(reference)
    expect(modelKinds.filter((each) => each.matches(text))).toEqual([])
  })

  test.each(['ollama/qwen.gguf', 'openai/x.gguf', 'http://127.0.0.1:80/v1#x.gguf', 'qwen', ''])(
    '%s is not a model file',
    (text) => expect(kind.matches(text)).toBe(false),
  )

  test.each([
    ['gguf:', place, /Add the path of the file/],
    ['./a.gguf', {}, /Write the absolute path/],
    ['~/a.gguf', { cwd: '/' }, /Write the absolute path/],
    ['gguf:a\0b', place, /null character/],
  ])('%j is rejected', (text, where, message) => {
    expect(() => kind.parse(text, where)).toThrow(message)
  })
})

describe('a folder whose settings reference a file', () => {
  const bytes = writeGguf({ entries: [['general.name', { type: 'text', value: 'Inside' }]] })
  const root = sharedFolderOf({
    'other.gguf': bytes,
    'project/a.gguf': bytes,
    'project/..a.gguf': bytes,
  })
  const [folder, outside] = [join(root, 'project'), join(root, 'other.gguf')]
  symlinkSync(outside, join(folder, 'link.gguf'))

  const connect = (
    path: string,
    isTrusted: boolean,
    namedBy?: 'person' | 'folder',
  ): Promise<string> =>
    kind
      .connect(path, { env: {}, cwd: folder, isTrusted, ...(namedBy && { namedBy }) })
      .then(({ name }) => name)

  test('can use one inside it if it is trusted', async () => {
    expect(await connect(join(folder, 'a.gguf'), true, 'folder')).toBe('Inside')
    expect(await connect(join(folder, '..a.gguf'), true, 'folder')).toBe('Inside')
    await expect(connect(join(folder, 'a.gguf'), false, 'folder')).rejects.toThrow(
      /the folder is not trusted\. To use it anyway, select it yourself with --model/,
    )
  })

  test('cannot use one outside', async () => {
    for (const path of [outside, join(folder, '..', 'other.gguf'), join(folder, 'link.gguf')])
      await expect(connect(path, true, 'folder')).rejects.toThrow(
        /the file is outside of the folder/,
      )
  })

  test("does not restrict the user's own choice", async () => {
    expect(await connect(outside, false)).toBe('Inside')
    expect(await connect(join(folder, 'link.gguf'), false, 'person')).toBe('Inside')
  })
})
