import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type ClientRequest, createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { patientFetch } from './patient-fetch.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test("transfers the request and the response's status, headers and body", async () => {
  const url = await serve((request, response) => {
    let body = ''
    request.on('data', (piece: Buffer) => (body += String(piece)))
    request.on('end', () => {
      response.writeHead(201, { 'x-method': request.method ?? '' })
      response.end(`${String(request.headers['x-mine'])} ${body}`)
    })
  })
  const response = await patientFetch(url, {
    method: 'POST',
    headers: { 'x-mine': 'yes' },
    body: 'Hanoi, Huế',
  })
  expect([response.status, response.headers.get('x-method')]).toEqual([201, 'POST'])
  expect(await response.text()).toBe('yes Hanoi, Huế')
})

test('unsupported requests are rejected', async () => {
  for (const given of [
    patientFetch(new Request('http://127.0.0.1:1/', { method: 'POST', body: 'x' })),
    patientFetch('http://127.0.0.1:1/', { method: 'POST', body: new Uint8Array(1) }),
  ])
    await expect(given).rejects.toThrow('supports only a URL and a text body')
})

test('unread data stays with the server', async () => {
  const url = await serve((_, response) => {
    const write = (): void => {
      // Many small chunks, like those that models send.
      while (!response.destroyed && response.write('x'.repeat(200)));
      response.once('drain', write)
    }
    write()
  })
  const requests: ClientRequest[] = []
  const onRequest = (message: unknown): void =>
    void requests.push((message as { request: ClientRequest }).request)
  subscribe('http.client.request.start', onRequest)
  const { body } = await patientFetch(url)
  unsubscribe('http.client.request.start', onRequest)
  const reader = body!.getReader()
  let received = 0
  for (let turn = 0; turn < 400; turn++) {
    if (turn < 100) received += (await reader.read()).value!.length
    await new Promise((resolve) => setImmediate(resolve))
  }
  const [sent] = requests
  expect(sent!.socket!.bytesRead).toBeGreaterThan(received)
  // Without backpressure, each turn of the event loop would read more.
  expect(sent!.socket!.bytesRead - received).toBeLessThan(3e6)
  await reader.cancel()
})

test('a reader that stops, or an abort, closes the connection', async () => {
  let closed = 0
  const url = await serve((_, response) => {
    response.on('close', () => closed++)
    response.write('more to come')
  })
  const { body } = await patientFetch(url)
  await body!.cancel()
  await expect.poll(() => closed).toBe(1)
  const controller = new AbortController()
  const response = await patientFetch(url, { signal: controller.signal })
  const text = response.text()
  controller.abort(new Error('enough'))
  await expect(text).rejects.toThrow()
  await expect.poll(() => closed).toBe(2)
  await expect(patientFetch(url, { signal: controller.signal })).rejects.toThrow('enough')
})

test('an incomplete body or an unreachable server is an error', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half', () => response.destroy())
  })
  const response = await patientFetch(url)
  await expect(response.text()).rejects.toThrow('closed')
  await expect(patientFetch('http://127.0.0.1:1')).rejects.toMatchObject({
    message: 'fetch failed',
    cause: { code: 'ECONNREFUSED' },
  })
})

test('does not reuse a connection closed by the server', async () => {
  let requests = 0
  const url = await serve((request, response) => {
    requests++
    response.end('yes', () => setImmediate(() => request.socket.destroy()))
  })
  for (let at = 0; at < 5; at++) expect(await (await patientFetch(url)).text()).toBe('yes')
  expect(requests).toBe(5)
})
