import { connect } from 'node:net'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../../../../tests/helpers/until.ts'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import { apiServer } from '../../../test/api-server.ts'
import type { AccessEntry } from '../../observe/access-entry.ts'
import { openTokens } from '../../security/tokens.ts'
import { isLong } from '../../../../../tests/helpers/size.ts'

test('streams that are opened and dropped leave no resources behind', async () => {
  const warnings: Error[] = []
  const warn = (warning: Error): number => warnings.push(warning)
  process.on('warning', warn)
  onTestFinished(() => void process.off('warning', warn))
  const entries: AccessEntry[] = []
  const api = await apiServer({ options: { observe: (entry) => entries.push(entry) } })
  const request = [
    'GET /api/approvals/events HTTP/1.1',
    `Host: 127.0.0.1:${api.port}`,
    `Authorization: Bearer ${api.token}`,
    '\r\n',
  ].join('\r\n')
  /** Opens a stream, and drops it before or after its first message. */
  const drop = async (isEarly: boolean): Promise<void> => {
    const socket = connect(api.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(request)
    await once(socket, isEarly ? 'connect' : 'data')
    socket.destroy()
    await once(socket, 'close')
  }
  const rounds = isLong ? 20 : 5
  for (let round = 0; round < rounds; round++)
    await Promise.all(Array.from({ length: 50 }, (_, at) => drop(at % 5 === 0)))
  // The client dropped some before the server had read the request.
  await until(
    async () => entries.length,
    (count) => count >= rounds * 40,
  )

  // The maximum number of streams can still be opened: the dropped ones no longer count.
  const gone = new AbortController()
  onTestFinished(() => gone.abort())
  const open = await Promise.all(
    Array.from({ length: 200 }, () => api.ask('/api/approvals/events', { signal: gone.signal })),
  )
  expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]))
  // Every stream reports a new pending request.
  const readers = open.map((response) => response.body!.getReader())
  await Promise.all(readers.map((reader) => reader.read()))
  const call = { tool_name: 'bash', arguments: { command: 'touch x' } }
  expect((await api.post('/api/tools/execute', call)).status).toBe(202)
  const second = await Promise.all(readers.map((reader) => reader.read()))
  for (const { value } of second) expect(Buffer.from(value!).toString()).toContain('touch x')
  gone.abort()
  expect(warnings).toEqual([])
  expect(api.errors).toEqual([])
})

test('a stream ends when its token is revoked, without sending more', async () => {
  const stateFolder = folderOf()
  const tokens = openTokens({ stateFolder })
  const old = tokens.main()
  const api = await apiServer({ options: { stateFolder, token: undefined } })
  const read = async (token: string): Promise<ReadableStreamDefaultReader<Uint8Array>> => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${api.server.url}/api/approvals/events`, { headers })
    const reader = response.body!.getReader()
    await reader.read()
    return reader
  }
  const reader = await read(old)
  const fresh = tokens.rotate()
  let rest = ''
  for (let step = await reader.read(); !step.done; step = await reader.read())
    rest += Buffer.from(step.value).toString()
  expect(rest).not.toContain('data')
  await (await read(fresh)).cancel()
})
