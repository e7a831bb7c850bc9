import { crc32, deflateSync, inflateSync } from 'node:zlib'

/**
 * Reduces a picture to at most 256 colors: the most frequent and vivid ones, and the nearest one
 * for every other color. The result is a third of the size.
 */
export function smallPng(png: Buffer): Buffer {
  const { width, height, rows } = read(png)
  const counts = new Map<number, number>()
  for (const row of rows)
    for (let at = 0; at < row.length; at += 3) {
      const color = row.readUIntBE(at, 3)
      counts.set(color, (counts.get(color) ?? 0) + 1)
    }
  const weight = (color: number): number => counts.get(color)! * (1 + vividness(color))
  const palette = [...counts.keys()].sort((one, other) => weight(other) - weight(one)).slice(0, 256)
  const places = new Map([...counts.keys()].map((color) => [color, nearest(palette, color)]))
  const lines = rows.map((row) => {
    const line = Buffer.alloc(1 + width)
    for (let at = 0; at < width; at++) line[1 + at] = places.get(row.readUIntBE(at * 3, 3))!
    return line
  })
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // Eight bits for each index in the palette.
  head.set([8, 3, 0, 0, 0], 8)
  const colors = Buffer.alloc(palette.length * 3)
  for (const [at, color] of palette.entries()) colors.writeUIntBE(color, at * 3, 3)
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', head),
    chunk('PLTE', colors),
    chunk('IDAT', deflateSync(Buffer.concat(lines), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/**
 * The distance of a color from gray: a small red cross matters more than one of a hundred grays.
 */
function vividness(color: number): number {
  const parts = [color >> 16, (color >> 8) & 255, color & 255]
  return Math.max(...parts) - Math.min(...parts)
}

function nearest(palette: readonly number[], color: number): number {
  let best = 0
  let least = Infinity
  for (const [at, other] of palette.entries()) {
    const [red, green, blue] = [16, 8, 0].map(
      (shift) => ((color >> shift) & 255) - ((other >> shift) & 255),
    ) as [number, number, number]
    const distance = red * red + green * green + blue * blue
    if (distance < least) [best, least] = [at, distance]
  }
  return best
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}

/** The pixels of a picture written by a browser: eight bits each for red, green and blue. */
function read(png: Buffer): {
  readonly width: number
  readonly height: number
  readonly rows: readonly Buffer[]
} {
  const width = png.readUInt32BE(16)
  const height = png.readUInt32BE(20)
  if (png[24] !== 8 || png[25] !== 2) throw new TypeError('expected eight bits of RGB')
  const data: Buffer[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const raw = inflateSync(Buffer.concat(data))
  const rows: Buffer[] = []
  let above = Buffer.alloc(width * 3)
  for (let at = 0; at < raw.length; at += 1 + width * 3) {
    const row = Buffer.from(raw.subarray(at + 1, at + 1 + width * 3))
    for (let place = 0; place < row.length; place++) {
      const left = place >= 3 ? row[place - 3]! : 0
      const corner = place >= 3 ? above[place - 3]! : 0
      row[place] = row[place]! + predicted(raw[at]!, left, above[place]!, corner)
    }
    rows.push(row)
    above = row
  }
  return { width, height, rows }
}

/** The value of a byte predicted by a PNG filter. */
function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 0) return 0
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  const [toLeft, toUp, toCorner] = [up - corner, left - corner, left + up - 2 * corner].map(
    Math.abs,
  ) as [number, number, number]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}
