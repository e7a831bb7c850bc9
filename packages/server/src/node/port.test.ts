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

test('prefers 4747 at the first start, and remembers it', async () => {
  expect(rememberedPort(folder)).toBeUndefined()
  expect(await start()).toBe(4747)
  expect(rememberedPort(folder)).toBe(4747)
  expect(statSync(join(folder, 'server.json')).mode & 0o777).toBe(0o600)
})

test('remembers another port if 4747 is taken at first', async () => {
  taken.add(4747)
  expect(await start()).toBe(50_123)
  taken.clear()
  expect(await start()).toBe(50_123)
})

test('fails if the remembered port is taken, because clients know it', async () => {
  await start()
  taken.add(4747)
  await expect(start()).rejects.toThrow(/Port 4747 is already in use.*--port/)
  expect(rememberedPort(folder)).toBe(4747)
})

test('uses and remembers a requested port', async () => {
  await start()
  expect(await start(8080)).toBe(8080)
  expect(await start()).toBe(8080)
  taken.add(8081)
  await expect(start(8081)).rejects.toThrow('Choose another with --port')
  expect(rememberedPort(folder)).toBe(8080)
})

test('does not remember a port used while another server is running', async () => {
  await start()
  served.add(4747)
  expect(await start(8080)).toBe(8080)
  expect(rememberedPort(folder)).toBe(4747)
  served.clear()
  expect(await start(8080)).toBe(8080)
  expect(rememberedPort(folder)).toBe(8080)
})

test('uses any port for 0, and does not remember it', async () => {
  expect(await start(0)).toBe(50_123)
  expect(rememberedPort(folder)).toBeUndefined()
})

test.each([-1, 65_536, 1.5, Number.NaN])('refuses the port %d', async (port) => {
  await expect(start(port)).rejects.toThrow('is not from 1 to 65535')
})

test.each(['', '{}', 'null', '{"port":"4747"}', '{"port":0}', '{"port":70000}'])(
  'ignores a file that contains %j',
  (text) => {
    writeFileSync(join(folder, 'server.json'), text)
    expect(rememberedPort(folder)).toBeUndefined()
  },
)

test('passes other errors on', async () => {
  const broken = (): Promise<{ port: number }> => Promise.reject(new Error('EMFILE'))
  await expect(onStablePort(folder, undefined, broken)).rejects.toThrow('EMFILE')
})
