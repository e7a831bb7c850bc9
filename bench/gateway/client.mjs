// Clients of the benchmark: one that reads, and one that stops reading.
import http from 'node:http'
import { connect } from 'node:net'
import { once } from 'node:events'

const TOOLS = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } } },
    },
  },
]

/**
 * `more`: other parameters of the request.
 *
 * @typedef {{ model: string, tools?: boolean, more?: object }} Question
 */

/** @param {Question} question */
function bodyOf({ model, tools = false, more = {} }) {
  const messages = [{ role: 'user', content: 'Umbrella?' }]
  return JSON.stringify({ model, stream: true, messages, ...(tools && { tools: TOOLS }), ...more })
}

/**
 * Sends a request and reads the whole answer. Returns its status, and the time to its first byte in
 * milliseconds.
 *
 * @param {{ port: number, token?: string }} server
 * @param {Question} question
 * @returns {Promise<{ status: number, first: number }>}
 */
export function ask({ port, token = '' }, question) {
  const body = bodyOf(question)
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    authorization: `Bearer ${token}`,
  }
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const path = '/v1/chat/completions'
    const request = http.request(
      { host: '127.0.0.1', port, path, method: 'POST', agent: false, headers },
      (response) => {
        let first = NaN
        response.once('data', () => (first = performance.now() - began))
        response.resume()
        response.on('end', () => resolve({ status: response.statusCode ?? 0, first }))
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

/**
 * Sends a request, and stops reading after the first piece of the answer.
 *
 * @param {{ port: number, token?: string | undefined }} server
 * @param {Question} question
 */
export async function askSlowly({ port, token = '' }, question) {
  const body = bodyOf(question)
  const socket = connect({ host: '127.0.0.1', port })
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(
    [
      'POST /v1/chat/completions HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  )
  const piece = await once(socket, 'data').catch(() => [])
  socket.pause()
  // A reset connection has no status.
  return { socket, status: Number(String(piece).slice(9, 12)) }
}
