import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { makeWorkspace } from '../../test/workspace.ts'
import { readIndex, repositoryAround } from './repository.ts'
import { lacks } from '../../../../tests/helpers/abilities.ts'

const notLinux = await lacks('linux')

const workspace = makeWorkspace()
afterAll(() => workspace.remove())

/**
 * An index of version 4. Each entry drops this many bytes from the end of the previous name and
 * appends a string.
 */
function indexOf(entries: readonly { readonly kept: number; readonly text: string }[]): Buffer {
  const header = Buffer.from('DIRC\0\0\0\x04\0\0\0\0', 'latin1')
  header.writeUInt32BE(entries.length, 8)
  let length = 0
  const parts = entries.map(({ kept, text }) => {
    length = length - kept + text.length
    const fixed = Buffer.alloc(62)
    fixed.writeUInt16BE(Math.min(length, 0xfff), 60)
    return Buffer.concat([fixed, Buffer.from([kept]), Buffer.from(`${text}\0`)])
  })
  return Buffer.concat([header, ...parts])
}

describe('an index from an attacker', () => {
  test('is read if it is valid', () => {
    const index = indexOf([
      { kept: 0, text: 'src/a' },
      { kept: 1, text: 'b' },
    ])
    expect(readIndex(index).map(({ name }) => name)).toEqual(['src/a', 'src/b'])
  })

  test('is rejected if a few bytes expand to very many', () => {
    const long = { kept: 0, text: 'x'.repeat(1_000_000) }
    const others = Array.from({ length: 200 }, () => ({ kept: 1, text: 'y' }))
    expect(() => readIndex(indexOf([long, ...others]))).toThrow('too long')
  })

  test('is rejected if it claims more entries than it has', () => {
    const index = indexOf([])
    index.writeUInt32BE(0xffffffff, 8)
    expect(() => readIndex(index)).toThrow(RangeError)
  })

  test.skipIf(notLinux)('is not read from an endless file', async () => {
    mkdirSync(`${workspace.cwd}/index/.git`, { recursive: true })
    symlinkSync('/dev/zero', `${workspace.cwd}/index/.git/index`)
    mkdirSync(`${workspace.cwd}/git`)
    symlinkSync('/dev/zero', `${workspace.cwd}/git/.git`)
    const root = `${workspace.cwd}/index`
    const found = repositoryAround(root)
    expect(found).toEqual({
      root,
      isPlain: expect.any(Function),
      gitFolders: expect.any(Function),
    })
    expect(found?.isPlain?.()).toBe(false)
    expect(repositoryAround(`${workspace.cwd}/git`)).toBeUndefined()
  })

  test('is not searched for at the path in a large file', async () => {
    mkdirSync(`${workspace.cwd}/large`)
    writeFileSync(`${workspace.cwd}/large/.git`, `gitdir: ${'x'.repeat(20_000)}`)
    expect(repositoryAround(`${workspace.cwd}/large`)).toBeUndefined()
  })
})
