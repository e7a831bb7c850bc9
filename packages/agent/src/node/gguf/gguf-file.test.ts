import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sharedFolderOf } from '../../../../../tests/helpers/folder.ts'
import { type GgufContent, type Value, writeGguf } from '../../../test/write-gguf.ts'
import { ModelError } from '../../model/model-error.ts'
import { readGgufFile } from './gguf-file.ts'
import { lacks } from '../../../../../tests/helpers/abilities.ts'
import { isLong, runs, share } from '../../../../../tests/helpers/size.ts'

const isRoot = await lacks('a user other than root')

const folder = sharedFolderOf()

const read = (bytes: Uint8Array): ReturnType<typeof readGgufFile> => {
  const path = join(folder, 'model.gguf')
  writeFileSync(path, bytes)
  return readGgufFile(path)
}

const text = (value: string): Value => ({ type: 'text', value })
const uint32 = (value: number): Value => ({ type: 'uint32', value })
const texts = (value: readonly string[]): Value => ({ type: 'list', of: 'text', value })

const whole: GgufContent = {
  entries: [
    ['general.architecture', text('qwen3')],
    ['general.type', text('model')],
    ['general.name', text('Qwen3 8B')],
    ['qwen3.context_length', uint32(40_960)],
    ['other.context_length', uint32(1)],
    ['qwen3.rope.freq_base', { type: 'float32', value: 1e6 }],
    ['tokenizer.ggml.tokens', texts(['a', '<bos>', 'ü'.repeat(99), '<|im_end|>', 'z'])],
    ['tokenizer.ggml.token_type', { type: 'list', of: 'int32', value: [1, 3, 1, 3, 1] }],
    ['tokenizer.ggml.bos_token_id', uint32(1)],
    ['tokenizer.ggml.eos_token_id', { type: 'uint64', value: 3n }],
    ['tokenizer.ggml.add_bos_token', { type: 'bool', value: false }],
    ['tokenizer.chat_template', text('{{ messages }}')],
    ['tokenizer.chat_template.tool_use', text('{{ tools }}')],
  ],
}

describe.each(['little', 'big'] as const)('%s endian', (byteOrder) => {
  test.each([2, 3])('version %i', async (version) => {
    const bytes = writeGguf({ ...whole, version, byteOrder })
    expect(await read(bytes)).toEqual({
      version,
      byteOrder,
      size: bytes.length,
      name: 'Qwen3 8B',
      architecture: 'qwen3',
      type: 'model',
      chatTemplate: '{{ messages }}',
      chatTemplates: { tool_use: '{{ tools }}' },
      contextTokens: 40_960,
      bosToken: '<bos>',
      eosToken: '<|im_end|>',
      addBos: false,
    })
  })
})

test('contains only facts that are in the file', async () => {
  const bytes = writeGguf({})
  expect(await read(bytes)).toEqual({
    version: 3,
    byteOrder: 'little',
    size: bytes.length,
    chatTemplates: {},
  })
})

test('ignores values of the wrong type and missing tokens', async () => {
  const file = await read(
    writeGguf({
      entries: [
        ['general.architecture', text('llama')],
        ['general.name', uint32(1)],
        ['llama.context_length', text('many')],
        ['tokenizer.ggml.tokens', texts(['a'])],
        ['tokenizer.ggml.bos_token_id', uint32(4_000_000_000)],
        ['tokenizer.ggml.eos_token_id', { type: 'int32', value: -1 }],
        ['tokenizer.chat_template', { type: 'list', of: 'uint8', value: [1] }],
      ],
    }),
  )
  expect(file).toEqual({
    version: 3,
    byteOrder: 'little',
    size: file.size,
    architecture: 'llama',
    chatTemplates: {},
  })
})

test('streams over a large vocabulary', async () => {
  const SIZE = isLong ? 200_000 : 20_000
  const tokens = Array.from({ length: SIZE }, (_, index) => `token ${index}`)
  const file = await read(
    writeGguf({
      entries: [
        ['tokenizer.ggml.eos_token_id', uint32(SIZE - 1)],
        ['tokenizer.ggml.tokens', texts(tokens)],
        ['tokenizer.ggml.merges', texts(tokens)],
        ['general.name', text('large')],
      ],
    }),
  )
  expect(file).toMatchObject({ name: 'large', eosToken: `token ${SIZE - 1}` })
})

describe('any writable file is readable', () => {
  const key = fc.string({ maxLength: 20 })
  const { value } = fc.letrec<{ value: Value; list: Value }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.record({ type: fc.constant('text' as const), value: fc.string() }),
      fc.record({ type: fc.constant('uint8' as const), value: fc.nat(255) }),
      fc.record({ type: fc.constant('int16' as const), value: fc.integer({ min: -9, max: 9 }) }),
      fc.record({ type: fc.constant('bool' as const), value: fc.boolean() }),
      fc.record({ type: fc.constant('int64' as const), value: fc.bigInt(-9n, 9n) }),
      fc.record({ type: fc.constant('float64' as const), value: fc.double() }),
      tie('list'),
    ),
    list: fc.oneof(
      fc.array(fc.string()).map(texts),
      fc.array(fc.nat(255)).map((each): Value => ({ type: 'list', of: 'uint16', value: each })),
    ),
  }))

  test('with arbitrary metadata', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(key, value), { maxLength: 8 }),
        fc.string(),
        fc.constantFrom('little' as const, 'big' as const),
        async (entries, name, byteOrder) => {
          const all = [...entries, ['general.name', text(name)] as const]
          const written = writeGguf({ entries: all, byteOrder })
          expect((await read(written)).name).toBe(new TextDecoder().decode(Buffer.from(name)))
        },
      ),
      runs(100),
    )
  })
})

describe('an invalid file', () => {
  const failure = async (bytes: Uint8Array): Promise<string> => {
    const error = await read(bytes).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(ModelError)
    expect((error as ModelError).problem).toBe('refused')
    return (error as ModelError).message
  }

  test('cut off at any byte is rejected', async () => {
    const bytes = writeGguf(whole)
    const lengths = Array.from({ length: bytes.length - 1 }, (_, at) => at + 1)
    for (const length of share(lengths, 7)) {
      const message = await failure(bytes.subarray(0, length))
      expect(message).toMatch(length < 4 ? /starts with/ : /is incomplete/)
    }
    expect(await failure(new Uint8Array())).toMatch(/it is empty/)
  })

  test('with any byte changed is read or rejected', async () => {
    const bytes = writeGguf({ entries: whole.entries!.slice(0, 6) })
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), async (at, byte) => {
        const changed = bytes.slice()
        changed[at] = byte
        await read(changed).catch((error: unknown) => expect(error).toBeInstanceOf(ModelError))
      }),
      runs(300),
    )
  })

  test.each([
    ['another format', Buffer.from('\u001b[31mPK\u0003\u0004 a zip file'), /starts with '�\[31' /],
    ['version 1', writeGguf({ version: 1 }), /has format version 1 instead of 2 or 3/],
    ['version 4', writeGguf({ version: 4, byteOrder: 'big' }), /has format version 4/],
  ])('%s', async (_, bytes, message) => {
    expect(await failure(bytes)).toMatch(message)
  })

  const header = writeGguf({ entries: [['a', uint32(1)]] }).subarray(0, 24)
  const huge = Buffer.alloc(8, 0xff)
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    return bytes
  }
  const one = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0])
  const entry = Buffer.concat([header, one, Buffer.from('a')])
  test.each([
    ['more keys than fit', [header.subarray(0, 16), huge], /has Infinity keys/],
    ['a key longer than the file', [header, huge], /but far more are needed/],
    ['a text longer than the file', [entry, number(8), huge], /but far more are needed/],
    ['more texts than the file has', [entry, number(9), number(8), huge], /more than 8388608/],
    ['more numbers than the file has', [entry, number(9), number(4), huge], /but far more/],
    ['an unknown type', [entry, number(13), huge], /the unknown type 13/],
    [
      'lists inside lists',
      [entry, number(9), ...Array.from({ length: 99 }, () => [number(9), one]).flat()],
      /lists nested 5 levels deep/,
    ],
  ])('%s', async (_, pieces, message) => {
    expect(await failure(Buffer.concat(pieces))).toMatch(message)
  })

  test('with a chat template that is far too long is rejected', async () => {
    const entries = [['tokenizer.chat_template', text('x'.repeat((1 << 20) + 1))] as const]
    expect(await failure(writeGguf({ entries }))).toMatch(/a chat template of over 1 MB/)
  })
})

describe('a path that is not a file', () => {
  test('is rejected if it is a folder', async () => {
    await expect(readGgufFile(folder)).rejects.toThrow(
      /it is not a regular file. Choose a readable file/,
    )
  })

  test('is rejected if it does not exist', async () => {
    const path = join(folder, 'none.gguf')
    await expect(readGgufFile(path)).rejects.toThrow(/it does not exist. Check the path/)
  })

  test('is rejected if it is a pipe without a writer', async () => {
    const path = join(folder, 'pipe')
    execFileSync('mkfifo', [path])
    await expect(readGgufFile(path)).rejects.toThrow(/it is not a regular file/)
  })

  // Root can read every file.
  test.skipIf(isRoot)('is rejected without permission', async () => {
    const path = join(folder, 'secret.gguf')
    writeFileSync(path, writeGguf({}))
    chmodSync(path, 0)
    await expect(readGgufFile(path)).rejects.toThrow(/permission denied/)
  })

  test('reading stops at an aborted signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(readGgufFile(folder, { signal })).rejects.toThrow('enough')
  })
})
