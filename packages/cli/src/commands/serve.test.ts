import { expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { spawned } from '../../test/spawned.ts'
import { startCommand } from '../../test/start-command.ts'
import { talkingServer } from '../../test/talking-server.ts'
import { serveExamples } from '../show/examples.ts'
import { longTest } from '../../../../tests/helpers/size.ts'

test.each([
  [['--host', '0.0.0.0'], 'every network of this machine'],
  [['--host', '0.0.0.0'], '--dangerously-listen-everywhere'],
  [['--host', '192.0.2.1', '-m', 'script'], 'This machine has no address 192.0.2.1'],
  [['--host', 'example.com'], 'Use an IP address'],
  [['--port', '70000'], 'from 0 to 65535'],
  [['--port', '-1'], 'from 0 to 65535'],
  [['--port', '80a'], 'from 0 to 65535'],
  [['--log', 'xml'], 'text, json'],
  [['--port', '0', '--model', 'qwen3:8b'], 'Add the provider'],
  [['--port', '0', '--protocol', 'hermez', '-m', 'script'], 'Did you mean hermes?'],
])('refuses %j', async (words, message) => {
  const result = await startCommand(['serve', ...words], { env: { HOME: folderOf() } })
  expect(result).toMatchObject({ code: 2, errors: expect.stringContaining(message) as string })
})

// The processes start slowly, so they are started in parallel.
longTest('every example serves until Ctrl-C and exits cleanly', async () => {
  // One example needs a database; it is tested in shared-journal.test.ts.
  const examples = serveExamples.filter(({ line }) => !line.includes('postgres://'))
  await Promise.all(
    examples.map(async ({ line }) => {
      const words = line
        .replace(/ >> .*$/, '')
        .split(' ')
        .slice(1)
      const { until, child, ended } = spawned(words, { env: { HOME: folderOf() } })
      await until(/listening on http/)
      child.kill('SIGINT')
      expect({ line, code: await ended() }).toEqual({ line, code: 0 })
    }),
  )
})

longTest('Ctrl-C reports the open responses; a second one stops the server at once', async () => {
  let isAsked = (): void => {}
  const asking = new Promise<void>((resolve) => (isAsked = resolve))
  // The model never answers.
  const upstream = await talkingServer((response, { path }) =>
    path.endsWith('/completions') ? isAsked() : response.writeHead(404).end(),
  )
  const env = { HOME: folderOf(), TOOLGLOT_TOKEN: 'x'.repeat(40) }
  const words = ['serve', '-m', upstream.model, '--port', '0']
  const { until, child, output, ended } = spawned(words, { env })
  const [, url = ''] = await until(/listening on (http:\S+)/)
  const messages = [{ role: 'user', content: 'Hello' }]
  const asked = fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${env.TOOLGLOT_TOKEN}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ model: 'default', messages, stream: true }),
  })
    .then((response) => response.text())
    .catch(() => '')
  await asking
  child.kill('SIGINT')
  await until(/^Waiting for 1 response; press Ctrl-C again to stop at once\.$/m)
  child.kill('SIGINT')
  expect(await ended()).toBe(0)
  expect(output()).toContain('cut off: the server stopped')
  expect(output()).not.toContain('client gone')
  await asked
})

longTest('keeps its port and token after a restart', async () => {
  const env = { HOME: folderOf() }
  const visit = async (): Promise<string> => {
    const { until, child, ended } = spawned(['serve', '-m', 'script'], { env })
    const [, url = ''] = await until(/listening on (http:\S+)/)
    const { output: token } = await startCommand(['token'], { env })
    const authorization = `Bearer ${token.trim()}`
    expect((await fetch(`${url}/v1/models`, { headers: { authorization } })).status).toBe(200)
    const { output: link } = await startCommand(['token', '--link'], { env })
    expect(link).toMatch(new RegExp(`^${url}/#login=`))
    child.kill('SIGTERM')
    expect(await ended()).toBe(0)
    return `${url} ${token}`
  }
  expect(await visit()).toBe(await visit())
})
