import { closeSync } from 'node:fs'
import { openRegularFile } from '@toolglot/permissions/node/internal'
import { plainLine } from '../../model/plain-line.ts'
import { ModelError } from '../../model/model-error.ts'
import { unlessAborted } from '../../time/time-limit.ts'
import {
  type ByteOrder,
  FileCursor,
  FileEnds,
  GgufProblem,
  type GgufList,
  type GgufValue,
  ValueReader,
} from './read-values.ts'

/** The metadata of a GGUF file. */
export interface GgufFile {
  /** The version of the file format: 2 or 3. */
  readonly version: number
  readonly byteOrder: ByteOrder
  /** The size of the file in bytes. */
  readonly size: number
  /** The model's name, as written by its authors. */
  readonly name?: string
  /** The architecture, such as `qwen3`. */
  readonly architecture?: string
  /** The type of content, such as `model`, `adapter` or `mmproj`. */
  readonly type?: string
  /** The chat template, if the model has one. */
  readonly chatTemplate?: string
  /** Additional chat templates by name, such as `tool_use`. */
  readonly chatTemplates: Readonly<Record<string, string>>
  /** The context size with which the model was trained, in tokens. */
  readonly contextTokens?: number
  readonly bosToken?: string
  readonly eosToken?: string
  readonly addBos?: boolean
  /**
   * For a model that is split into several files: the index of this part, from 0, and the number of
   * parts.
   */
  readonly part?: number
  readonly parts?: number
}

/**
 * Reads the metadata of a GGUF file without loading the model. Throws a ModelError for other files.
 */
export async function readGgufFile(
  path: string,
  { signal = new AbortController().signal }: { readonly signal?: AbortSignal } = {},
): Promise<GgufFile> {
  signal.throwIfAborted()
  return unlessAborted(signal, readFile(path, signal))
}

async function readFile(path: string, signal: AbortSignal): Promise<GgufFile> {
  const refuse = (problem: string, advice: string): ModelError =>
    new ModelError(
      'refused',
      `Cannot read the model file ${plainLine(path)}: ${problem}. ${advice}.`,
    )
  const opened = openRegularFile(path)
  if ('missing' in opened) throw refuse('it does not exist', 'Check the path')
  if ('reason' in opened)
    throw refuse(opened.reason, 'Choose a readable file, which usually ends in .gguf')
  const { descriptor, status } = opened
  try {
    return await readHeader(new FileCursor(descriptor, status.size), signal)
  } catch (error) {
    if (error instanceof FileEnds) throw refuse(`it ${error.message}`, DOWNLOAD)
    if (error instanceof GgufProblem) throw refuse(`it ${error.message}`, CONVERT)
    throw refuse(
      `reading it failed (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
      CHECK,
    )
  } finally {
    closeSync(descriptor)
  }
}

const DOWNLOAD = 'Download or copy it again'
const CONVERT = 'Get the model as a GGUF file, or convert it with a current version of llama.cpp'
const CHECK = 'Check the disk'

async function readHeader(cursor: FileCursor, signal: AbortSignal): Promise<GgufFile> {
  if (cursor.size === 0) throw new GgufProblem('is empty')
  const start = await cursor.bytes(Math.min(4, cursor.size))
  const magic = String.fromCharCode(...start)
  if (magic !== 'GGUF') throw new GgufProblem(`starts with ${quoted(magic)} instead of 'GGUF'`)
  await cursor.load(20)
  const version = readVersion(cursor)
  cursor.skip(8) // The number of tensors.
  const count = cursor.uint64()
  if (count > MAX_KEYS) throw new GgufProblem(`has ${count} keys, more than ${MAX_KEYS}`)
  const values = new ValueReader(cursor)
  const entries = new Map<string, GgufValue | GgufList>()
  for (let index = 0; index < count; index++) {
    signal.throwIfAborted()
    const key = await values.text(MAX_KEY)
    if (!cursor.has(4)) await cursor.load(4)
    const type = cursor.uint32()
    if (key === undefined || !isNeeded(key) || entries.has(key) || entries.size >= MAX_NEEDED) {
      await values.skip(type)
      continue
    }
    const value = await values.read(type)
    if (value !== undefined) entries.set(key, value)
    else if (key.startsWith(TEMPLATE)) throw new GgufProblem('has a chat template of over 1 MB')
  }
  return { version, byteOrder: cursor.byteOrder, size: cursor.size, ...(await factsOf()) }

  async function factsOf(): Promise<Facts> {
    const architecture = text('general.architecture')
    const tokens = entries.get('tokenizer.ggml.tokens')
    const bos = whole('tokenizer.ggml.bos_token_id')
    const eos = whole('tokenizer.ggml.eos_token_id')
    const ids = [bos, eos].filter((id) => id !== undefined)
    const texts =
      typeof tokens === 'object' ? await values.textsOf(tokens, ids) : new Map<number, string>()
    const addBos = entries.get('tokenizer.ggml.add_bos_token')
    return {
      name: text('general.name'),
      architecture,
      type: text('general.type'),
      chatTemplate: text(TEMPLATE),
      chatTemplates: Object.fromEntries(
        [...entries].flatMap(([key, value]) =>
          key.startsWith(`${TEMPLATE}.`) && typeof value === 'string'
            ? [[key.slice(TEMPLATE.length + 1), value]]
            : [],
        ),
      ),
      contextTokens: whole(`${architecture}.context_length`),
      bosToken: bos === undefined ? undefined : texts.get(bos),
      eosToken: eos === undefined ? undefined : texts.get(eos),
      addBos: typeof addBos === 'boolean' ? addBos : undefined,
      part: whole('split.no'),
      parts: whole('split.count'),
    }
  }

  function text(key: string): string | undefined {
    const value = entries.get(key)
    return typeof value === 'string' ? value : undefined
  }

  function whole(key: string): number | undefined {
    const value = entries.get(key)
    const number = typeof value === 'bigint' ? Number(value) : value
    return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0
      ? number
      : undefined
  }
}

/** The bytes of the version reveal whether the file uses the other byte order. */
function readVersion(cursor: FileCursor): number {
  const little = cursor.take(4, (view, at) => view.getUint32(at, true))
  const isBig = little !== 0 && (little & 0xffff) === 0
  cursor.byteOrder = isBig ? 'big' : 'little'
  const version = isBig ? little >>> 24 : little
  if (version === 2 || version === 3) return version
  throw new GgufProblem(`has format version ${version} instead of 2 or 3`)
}

function isNeeded(key: string): boolean {
  return NEEDED.has(key) || key.startsWith(`${TEMPLATE}.`) || key.endsWith('.context_length')
}

type Facts = Omit<GgufFile, 'version' | 'byteOrder' | 'size'>

const TEMPLATE = 'tokenizer.chat_template'

const NEEDED: ReadonlySet<string> = new Set([
  'general.architecture',
  'general.name',
  'general.type',
  'split.count',
  'split.no',
  TEMPLATE,
  'tokenizer.ggml.add_bos_token',
  'tokenizer.ggml.bos_token_id',
  'tokenizer.ggml.eos_token_id',
  'tokenizer.ggml.tokens',
])

const MAX_KEYS = 1 << 16
const MAX_KEY = 1 << 10
/**
 * The maximum number of values to keep, in case a hostile file has many keys that end like a needed
 * one.
 */
const MAX_NEEDED = 32

function quoted(text: string): string {
  return `'${plainLine(text)}'`
}
