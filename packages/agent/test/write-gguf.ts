/** A value of a GGUF file's metadata, with its type. */
export type Value =
  | { readonly type: NumberType; readonly value: number | bigint | boolean }
  | { readonly type: 'text'; readonly value: string | Uint8Array }
  | {
      readonly type: 'list'
      readonly of: (typeof TYPES)[number]
      readonly value: readonly unknown[]
    }

type NumberType = Exclude<(typeof TYPES)[number], 'text' | 'list'>

/** A tensor of 32-bit numbers. The first dimension is the innermost. */
export interface Tensor {
  readonly name: string
  readonly dimensions: readonly number[]
  readonly data: Float32Array
}

/** The content of a GGUF file. */
export interface GgufContent {
  readonly version?: number
  readonly byteOrder?: 'little' | 'big'
  readonly entries?: readonly (readonly [key: string, value: Value])[]
  readonly tensors?: readonly Tensor[]
}

/** Writes a GGUF file. */
export function writeGguf({
  version = 3,
  byteOrder = 'little',
  entries = [],
  tensors = [],
}: GgufContent): Uint8Array {
  const little = byteOrder === 'little'
  const pieces: Uint8Array[] = [new TextEncoder().encode('GGUF')]
  let length = 4
  const add = (piece: Uint8Array): void => {
    pieces.push(piece)
    length += piece.length
  }
  const addNumber = (type: NumberType, value: number | bigint | boolean): void => {
    const view = new DataView(new ArrayBuffer(8))
    add(new Uint8Array(view.buffer, 0, SETTERS[type](view, value, little)))
  }
  const addText = (text: string | Uint8Array): void => {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
    addNumber('uint64', bytes.length)
    add(bytes)
  }
  const addValue = (value: Value): void => {
    if (value.type === 'text') return addText(value.value)
    if (value.type !== 'list') return addNumber(value.type, value.value)
    addNumber('uint32', TYPES.indexOf(value.of))
    addNumber('uint64', value.value.length)
    for (const each of value.value) addValue({ type: value.of, value: each } as Value)
  }
  addNumber('uint32', version)
  addNumber('uint64', tensors.length)
  addNumber('uint64', entries.length)
  for (const [key, value] of entries) {
    addText(key)
    addNumber('uint32', TYPES.indexOf(value.type))
    addValue(value)
  }
  let offset = 0
  for (const { name, dimensions, data } of tensors) {
    addText(name)
    addNumber('uint32', dimensions.length)
    for (const dimension of dimensions) addNumber('uint64', dimension)
    addNumber('uint32', 0) // 32-bit numbers.
    addNumber('uint64', offset)
    offset += padded(data.byteLength)
  }
  if (tensors.length > 0) add(new Uint8Array(padded(length) - length))
  for (const { data } of tensors) {
    add(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    add(new Uint8Array(padded(data.byteLength) - data.byteLength))
  }
  return Buffer.concat(pieces)
}

const TYPES = [
  'uint8',
  'int8',
  'uint16',
  'int16',
  'uint32',
  'int32',
  'float32',
  'bool',
  'text',
  'list',
  'uint64',
  'int64',
  'float64',
] as const

type Setter = (view: DataView, value: number | bigint | boolean, little: boolean) => number

/** Each function writes a number and returns its size in bytes. */
const SETTERS: Readonly<Record<NumberType, Setter>> = {
  uint8: (view, value) => (view.setUint8(0, Number(value)), 1),
  int8: (view, value) => (view.setInt8(0, Number(value)), 1),
  uint16: (view, value, little) => (view.setUint16(0, Number(value), little), 2),
  int16: (view, value, little) => (view.setInt16(0, Number(value), little), 2),
  uint32: (view, value, little) => (view.setUint32(0, Number(value), little), 4),
  int32: (view, value, little) => (view.setInt32(0, Number(value), little), 4),
  float32: (view, value, little) => (view.setFloat32(0, Number(value), little), 4),
  bool: (view, value) => (view.setUint8(0, value ? 1 : 0), 1),
  uint64: (view, value, little) => (view.setBigUint64(0, BigInt(value), little), 8),
  int64: (view, value, little) => (view.setBigInt64(0, BigInt(value), little), 8),
  float64: (view, value, little) => (view.setFloat64(0, Number(value), little), 8),
}

/** Aligns a length to 32 bytes, as required for tensors. */
function padded(length: number): number {
  return Math.ceil(length / 32) * 32
}
