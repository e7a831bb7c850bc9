import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { onStablePort, rememberedPort } from './port.ts'

let folder: string
let taken: Set<number>
let served: Set<number>
beforeEach(() => {
  folder = folderOf()
  taken = new Set()
  served = new Set()
})

/** A fake server. */
function listen(port: number): Promise<{ port: number }> {
  if (!taken.has(port)) return Promise.resolve({ port: port || 50_123 })
  return Promise.reject(Object.assign(new Error('listen'), { code: 'EADDRINUSE' }))
}

const start = async (asked?: number): Promise<number> =>
  (await onStablePort(folder, asked, listen, (port) => Promise.resolve(served.has(port)))).port

test('the first start prefers 4747, and remembers it', async () => {
  expect(rememberedPort(folder)).toBeUndefined()
  expect(await start()).toBe(4747)
  expect(rememberedPort(folder)).toBe(4747)
  expect(statSync(join(folder, 'server.json')).mode & 0o777).toBe(0o600)
})

test('if 4747 is taken at first, another port is used from then on', async () => {
  taken.add(4747)
  expect(await start()).toBe(50_123)
  taken.clear()
  expect(await start()).toBe(50_123)
})

test('a remembered port that is taken is an error: clients know that port', async () => {
  await start()
  taken.add(4747)
  await expect(start()).rejects.toThrow(/Port 4747 is already in use.*--port/)
  expect(rememberedPort(folder)).toBe(4747)
})

test('a port that was asked for is used and remembered', async () => {
  await start()
  expect(await start(8080)).toBe(8080)
  expect(await start()).toBe(8080)
  taken.add(8081)
  await expect(start(8081)).rejects.toThrow('Choose another with --port')
  expect(rememberedPort(folder)).toBe(8080)
})

test('a port beside a server that still runs is not remembered: clients know that one', async () => {
  await start()
  served.add(4747)
  expect(await start(8080)).toBe(8080)
  expect(rememberedPort(folder)).toBe(4747)
  served.clear()
  expect(await start(8080)).toBe(8080)
  expect(rememberedPort(folder)).toBe(8080)
})

test('port 0 is any, and is forgotten', async () => {
  expect(await start(0)).toBe(50_123)
  expect(rememberedPort(folder)).toBeUndefined()
})

test.each([-1, 65_536, 1.5, Number.NaN])('port %d is refused', async (port) => {
  await expect(start(port)).rejects.toThrow('is not from 1 to 65535')
})

test.each(['', '{}', 'null', '{"port":"4747"}', '{"port":0}', '{"port":70000}'])(
  'a file that says %j is forgotten',
  (text) => {
    writeFileSync(join(folder, 'server.json'), text)
    expect(rememberedPort(folder)).toBeUndefined()
  },
)

test('another error is passed on', async () => {
  const broken = (): Promise<{ port: number }> => Promise.reject(new Error('EMFILE'))
  await expect(onStablePort(folder, undefined, broken)).rejects.toThrow('EMFILE')
})
