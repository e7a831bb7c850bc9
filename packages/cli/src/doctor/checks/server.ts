import { get } from 'node:http'
import type { Check } from '../check.ts'

export const server: Check = {
  name: 'server',
  async run({ workspace }) {
    const { rememberedPort } = await import('@toolglot/server/internal')
    const port = rememberedPort(workspace.directories.state)
    if (port === undefined)
      return {
        status: 'ok',
        says: 'never started; toolglot serve gives other programs a model that can call tools',
      }
    const url = `http://127.0.0.1:${port}`
    const answer = await whoAnswers(url)
    if (answer === 'nobody')
      return { status: 'ok', says: `not running; port ${port}, which it used before, is free` }
    if (answer === 'toolglot') return { status: 'ok', says: `running at ${url}` }
    return {
      status: 'warning',
      says: `another program uses port ${port}, which the server used before`,
      advice: 'Stop that program, or choose another port with toolglot serve --port.',
    }
  },
}

/** Asks without a token: our server says who it is when it refuses. */
function whoAnswers(url: string): Promise<'toolglot' | 'another' | 'nobody'> {
  return new Promise((resolve) => {
    const request = get(`${url}/v1/models`, { agent: false, timeout: 2000 }, (response) => {
      response.destroy()
      const isOurs = response.headers['www-authenticate']?.includes('realm="toolglot"')
      resolve(isOurs ? 'toolglot' : 'another')
    })
    request.on('timeout', () => request.destroy())
    request.on('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'ECONNREFUSED' ? 'nobody' : 'another'),
    )
  })
}
