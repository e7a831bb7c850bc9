import { expect, test } from 'vitest'
import { llamaServer, completes, plainTemplate } from '../../../../test/llama-server.ts'
import { answer, answerByPath, modelServer } from '../../../../test/model-server.ts'
import { chunksOf } from '../../../../test/replies.ts'
import { completionKind } from './completion.ts'

const files = {
  resolve: (path: string, { cwd = '' }) => (path.startsWith('/') ? path : `${cwd}/${path}`),
  read: () => plainTemplate,
}
const kind = completionKind(files)
const place = { cwd: '/work' }
const env = {}

test.each([
  ['completion:http://127.0.0.1:8080', 'completion:http://127.0.0.1:8080'],
  ['completion:http://a.example:1#org/name', 'completion:http://a.example:1#org/name'],
  ['completion:t.jinja@http://a:1#m', 'completion:/work/t.jinja@http://a:1#m'],
  ['completion:/a@b/t.json@https://a:1', 'completion:/a@b/t.json@https://a:1'],
])('%s is stored as %s', (text, stored) => {
  expect(kind.matches(text)).toBe(true)
  expect(kind.parse(text, place)).toBe(stored)
  expect(kind.parse(stored, {})).toBe(stored)
})

test.each([
  ['completion:', /Add the server's URL/],
  ['completion:8080', /Add the server's URL/],
  ['completion:http://a#', /Add a valid model name/],
  ['completion:@http://a', /Add the template file/],
  ['completion:http://me:secret@a', /must not contain a username/],
])('%s is not valid', (text, message) => {
  expect(() => kind.parse(text, place)).toThrow(message)
  expect(() => kind.parse(text, place)).toThrow(TypeError)
})

test('template files are rejected on platforms without files', () => {
  expect(() => completionKind().parse('completion:t@http://a', place)).toThrow(/omit the file/)
})

test("a folder's settings cannot use a template file, and get no key", async () => {
  const server = await llamaServer(plainTemplate, [completes('Hi')])
  const options = { env, namedBy: 'folder', key: 'sk-secret' } as const
  await expect(kind.connect(`completion:/t@${server.url}`, options)).rejects.toThrow(
    /A folder's settings cannot use a template file \(\/t\)/,
  )
  expect(server.requests).toEqual([])
  const model = await kind.connect(`completion:${server.url}`, options)
  await chunksOf(model)
  expect(server.requests.at(-1)?.headers.authorization).toBeUndefined()
})

test.each([
  [
    'another server',
    answer(200, '<html></html>'),
    / is not a raw completion server, .* Check the URL/,
  ],
  ['a server without models', answerByPath({ '/v1/models': { data: [] } }), /has no models/],
  [
    'a server without a template',
    answerByPath({ '/v1/models': { data: [{ id: 'm' }] } }),
    /does not reveal the model's chat template\. Specify a file that contains it, completion:\.\/tokenizer_config\.json@http.*#m/,
  ],
  [
    'Ollama',
    answerByPath({ '/api/version': { version: '0.9' }, '/v1/models': { data: [{ id: 'm' }] } }),
    /Ollama at .* does not reveal/,
  ],
])('%s', async (_name, given, message) => {
  const server = await modelServer(given)
  await expect(kind.connect(`completion:${server.url}`, { env })).rejects.toThrow(message)
})

const models = { '/v1/models': { data: [{ id: 'm' }] } }

test.each([
  ['everything', answer(401, {})],
  ['everything', answer(403, {})],
  ['all but its models', answerByPath({ ...models, '/props': answer(401, {}) })],
  [
    'the models of Ollama',
    answerByPath({ '/api/version': { version: '0.9' }, '/v1/models': answer(401, {}) }),
  ],
])('a server that requires a key for %s', async (_name, given) => {
  const { url } = await modelServer(given)
  const refused = (message: RegExp): object => ({
    problem: 'refused',
    message: expect.stringMatching(message) as string,
  })
  await expect(kind.connect(`completion:${url}`, { env })).rejects.toMatchObject(
    refused(/^The server at http:\S+ needs a key: set TOOLGLOT_API_KEY\.$/),
  )
  const connecting = kind.connect(`completion:${url}`, { env, key: 'sk-wrong' })
  await expect(connecting).rejects.toMatchObject(
    refused(/^(?!.*sk-wrong).* does not accept the key: check TOOLGLOT_API_KEY\.$/),
  )
})

test('a server that requires a key only for unneeded facts is usable', async () => {
  const { url } = await modelServer(answerByPath({ ...models, '/props': answer(401, {}) }))
  expect(await kind.connect(`completion:/t@${url}`, { env })).toMatchObject({ name: 'm' })
})

test('a message does not show the query, which may contain a key', async () => {
  const server = await modelServer((response, { path }, socket) =>
    answerByPath({ '/v1/models': { data: [] } })(
      response,
      { method: 'GET', path: path.split('?')[0]!, headers: {}, body: {} },
      socket,
    ),
  )
  const connecting = kind.connect(`completion:${server.url}/?key=secret`, { env })
  await expect(connecting).rejects.toThrow(/^(?!.*secret).*$/s)
})

test('reports that nothing is listening', async () => {
  await expect(kind.connect('completion:http://127.0.0.1:1', { env })).rejects.toMatchObject({
    problem: 'unreachable',
    message: expect.stringMatching(/nothing is listening there\. Start it/) as string,
  })
})
