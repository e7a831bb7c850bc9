import type { Check, Finding } from '../check.ts'

export const server: Check = {
  name: 'server',
  async run({ workspace }) {
    const { rememberedPort, tokensProblem, whoAnswers } = await import('@toolglot/server/internal')
    const { state } = workspace.directories
    const problem = tokensProblem(state)
    const port = rememberedPort(state)
    return [
      portFinding(port, port === undefined ? 'nobody' : await whoAnswers(port)),
      ...(problem === undefined ? [] : [{ status: 'warning' as const, says: problem }]),
    ]
  },
}

function portFinding(port: number | undefined, answer: 'toolglot' | 'another' | 'nobody'): Finding {
  if (port === undefined)
    return {
      status: 'ok',
      says: 'never started; toolglot serve gives other programs a model that can call tools',
    }
  if (answer === 'nobody')
    return { status: 'ok', says: `not running; port ${port}, which it used before, is free` }
  if (answer === 'toolglot') return { status: 'ok', says: `running at http://127.0.0.1:${port}` }
  return {
    status: 'warning',
    says: `another program uses port ${port}, which the server used before`,
    advice: 'Stop that program, or choose another port with toolglot serve --port.',
  }
}
