import { inUse } from '@toolglot/permissions/errors/internal'
import { join } from 'node:path'
import { readSmallFile } from '@toolglot/permissions/node/internal'
import { UserError } from '@toolglot/workspace'
import { writeWhole } from '@toolglot/workspace/internal'
import { get } from 'node:http'

const PREFERRED = 4747

/** The port used by the server with this state folder; undefined if it was never started. */
export function rememberedPort(stateFolder: string): number | undefined {
  let value: unknown
  try {
    value = JSON.parse(readSmallFile(fileIn(stateFolder)) ?? 'null')
  } catch {
    return undefined
  }
  const { port } = Object(value) as { port?: unknown }
  return typeof port === 'number' && isPort(port) ? port : undefined
}

/**
 * Listens on a port that stays the same across restarts: the requested port, else the remembered
 * one, else 4747 or any free port. Port 0 means any free port. That port is not remembered, nor is
 * a port used while another server is running.
 */
export async function onStablePort<Listening extends { readonly port: number }>(
  stateFolder: string,
  asked: number | undefined,
  listen: (port: number) => Promise<Listening>,
  isServed: (port: number) => Promise<boolean> = async (port) =>
    (await whoAnswers(port)) === 'toolglot',
): Promise<Listening> {
  if (asked === 0) return await listen(0)
  if (asked !== undefined && !isPort(asked)) {
    throw new UserError('usage', `Port ${asked} is not from 1 to 65535`)
  }
  const remembered = rememberedPort(stateFolder)
  const wanted = asked ?? remembered
  let listening: Listening
  try {
    listening = await listen(wanted ?? PREFERRED)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
    if (wanted !== undefined) throw unusable(wanted, code, asked === undefined)
    listening = await listen(0)
  }
  if (listening.port !== remembered && !(remembered && (await isServed(remembered)))) {
    writeWhole(fileIn(stateFolder), `${JSON.stringify({ port: listening.port })}\n`)
  }
  return listening
}

function unusable(port: number, code: string, isRemembered: boolean): UserError {
  const advice = isRemembered
    ? 'It is the port of the last start: stop the program that uses it (perhaps another "toolglot serve"), or choose another with --port and change it in your clients'
    : 'Choose another with --port'
  const subject = `Port ${port}`
  return new UserError(
    'data',
    code === 'EACCES' ? `${subject} requires more privileges. ${advice}` : inUse(subject, advice),
  )
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535
}

function fileIn(stateFolder: string): string {
  return join(stateFolder, 'server.json')
}

/**
 * Identifies the server at a port of this machine. The request has no token: our own server
 * identifies itself when it refuses.
 */
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
