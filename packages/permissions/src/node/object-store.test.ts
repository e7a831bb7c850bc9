import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { sharedFolderOf } from '../../../../tests/helpers/folder.ts'
import { ObjectStore, OpenFiles } from './object-store.ts'

const folder = sharedFolderOf()
const files = new OpenFiles()
beforeEach(() => rmSync(folder, { recursive: true, force: true }))
afterAll(() => files.close())

function write(path: string, content: Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}

const HASH = 'ab'.repeat(20)
const u32 = (value: number): Buffer => {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32BE(value)
  return buffer
}

/** The index of a pack with one object at an offset. It may claim to have more. */
const indexOf = (count = 1, offset = 12): Buffer =>
  Buffer.concat([
    Buffer.from('ff744f6300000002', 'hex'),
    ...Array.from({ length: 256 }, (_, byte) => u32(byte < 0xab ? 0 : count)),
    Buffer.from(HASH, 'hex'),
    u32(0),
    u32(offset),
  ])

/** A packed object: its kind, its size and the compressed data. */
function packed(kind: number, size: number, rest: Buffer): Buffer {
  const header = [(kind << 4) | (size & 15)]
  for (let left = size >> 4; left > 0; left >>= 7) {
    header[header.length - 1]! |= 128
    header.push(left & 127)
  }
  return Buffer.concat([Buffer.alloc(12), Buffer.from(header), rest])
}

test('reads an object in a pack', () => {
  write('pack/a.idx', indexOf())
  write('pack/a.pack', packed(3, 5, deflateSync('hello')))
  expect(new ObjectStore(folder, files).read(HASH)?.content.toString()).toBe('hello')
})

test.each([0xffffffff, 0x80000000, 2])('rejects an index that claims %i objects', (count) => {
  write('pack/a.idx', indexOf(count))
  write('pack/a.pack', packed(3, 5, deflateSync('hello')))
  expect(() => new ObjectStore(folder, files)).toThrow('Invalid pack index.')
})

test('rejects a delta whose parts are longer than its result', () => {
  const delta = Buffer.concat([Buffer.from([5, 5]), Buffer.alloc(1_000_000, 0x80)])
  const base = packed(3, 5, deflateSync('hello'))
  const far = base.length - 12
  const rest = Buffer.concat([Buffer.from([far]), deflateSync(delta)])
  write('pack/a.idx', indexOf(1, base.length))
  write('pack/a.pack', Buffer.concat([base, packed(6, delta.length, rest).subarray(12)]))
  expect(() => new ObjectStore(folder, files).read(HASH)).toThrow('Invalid delta.')
})

test('counts objects by their length on disk', () => {
  const blob = deflateSync('blob 1\0a')
  write(`${HASH.slice(0, 2)}/${HASH.slice(2)}`, Buffer.concat([blob, Buffer.alloc(9_000_000)]))
  const store = new ObjectStore(folder, files)
  expect(() => {
    for (let times = 0; times < 10; times++) store.read(HASH)
  }).toThrow('Too many bytes.')
})
