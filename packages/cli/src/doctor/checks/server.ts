import type { Check } from '../check.ts'

export const server: Check = {
  name: 'server',
  async run({ workspace }) {
    const { rememberedPort } = await import('@toolglot/server')
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

async function whoAnswers(url: string): Promise<'toolglot' | 'another' | 'nobody'> {
  try {
    const signal = AbortSignal.timeout(2000)
    const response = await fetch(`${url}/v1/models`, { signal, redirect: 'manual' })
    await response.body?.cancel()
    const isOurs = response.headers.get('www-authenticate')?.includes('realm="toolglot"')
    return isOurs ? 'toolglot' : 'another'
  } catch (error) {
    // Nobody listens, or it is no HTTP server.
    const { code } = Object(error instanceof Error ? error.cause : undefined) as { code?: string }
    return code === 'ECONNREFUSED' ? 'nobody' : 'another'
  }
}
