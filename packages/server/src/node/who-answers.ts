import { get } from 'node:http'

/** Who answers at an address of this machine. It asks without a token: a server of ours says who it is when it refuses. */
export function whoAnswers(port: number): Promise<'toolglot' | 'another' | 'nobody'> {
  return new Promise((resolve) => {
    const request = get(
      { host: '127.0.0.1', port, path: '/v1/models', agent: false, timeout: 2000 },
      (response) => {
        response.destroy()
        const isOurs = response.headers['www-authenticate']?.includes('realm="toolglot"')
        resolve(isOurs ? 'toolglot' : 'another')
      },
    )
    request.on('timeout', () => request.destroy())
    request.on('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'ECONNREFUSED' ? 'nobody' : 'another'),
    )
  })
}
