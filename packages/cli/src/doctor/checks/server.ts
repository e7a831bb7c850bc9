import type { Check } from '../check.ts'

export const server: Check = {
  name: 'server',
  async run({ workspace }) {
    const { rememberedPort, whoAnswers } = await import('@toolglot/server/internal')
    const port = rememberedPort(workspace.directories.state)
    if (port === undefined)
      return {
        status: 'ok',
        says: 'never started; toolglot serve gives other programs a model that can call tools',
      }
    const url = `http://127.0.0.1:${port}`
    const answer = await whoAnswers(port)
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
