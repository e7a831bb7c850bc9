import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { binary, spawnCommand } from './spawn-command.ts'

/** A home without settings and state. */
export const HOME: string = mkdtempSync(join(tmpdir(), 'toolglot-home-'))
process.on('exit', () => rmSync(HOME, { recursive: true, force: true }))

/** Starts `toolglot mcp`. */
export function spawnMcp(words: readonly string[]): ReturnType<typeof spawnCommand> {
  return spawnCommand(['mcp', ...words], { HOME })
}

export interface Connection {
  readonly client: Client
  /** The server's standard error. */
  errors(): string
  close(): Promise<void>
}

export interface ConnectOptions {
  readonly over: 'stdio' | 'http'
  /** The protocol version of 2025 or of 2026. */
  readonly era: 'legacy' | 'auto'
  readonly words: readonly string[]
  /** The user's answer or form input at the client. Without it, the client cannot ask. */
  readonly answer?: (question: string) => 'accept' | 'decline' | Record<string, string | string[]>
  /** The environment of the process, over stdio. */
  readonly env?: Readonly<Record<string, string>>
}

/** The official client, connected to a new `toolglot mcp`. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { over, era, words, answer, env = {} } = options
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: answer ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode: era },
    },
  )
  if (answer)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      const answered = answer(params.message)
      return typeof answered === 'string'
        ? { action: answered, content: {} }
        : { action: 'accept', content: answered }
    })
  return over === 'stdio' ? overStdio(client, words, env) : overHttp(client, words, era)
}

async function overStdio(
  client: Client,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Connection> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [binary, 'mcp', ...words],
    env: { ...getDefaultEnvironment(), HOME, ...env },
    stderr: 'pipe',
  })
  let errors = ''
  transport.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  await client.connect(transport)
  return { client, errors: () => errors, close: () => client.close() }
}

const servers = new Map<string, Promise<StartedHttp>>()

/** Stops the servers that clients were connected to. */
export async function stopServers(): Promise<void> {
  for (const server of servers.values()) await (await server).close()
  servers.clear()
}

/** Clients of the same version share a server with the same options. */
async function overHttp(
  client: Client,
  words: readonly string[],
  era: ConnectOptions['era'],
): Promise<Connection> {
  const key = JSON.stringify([era, ...words])
  const starting = servers.get(key) ?? startHttp(words)
  servers.set(key, starting)
  const server = await starting
  const headers = { authorization: `Bearer ${server.token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }),
  )
  return {
    client,
    errors: () => server.errors(),
    close: () => client.close(),
  }
}

export interface StartedHttp {
  readonly url: string
  readonly token: string
  errors(): string
  output(): string
  /** Stops the server; resolves to its exit code. */
  close(): Promise<number | null>
}

/** Starts `toolglot mcp --http` and reads its address. */
export async function startHttp(words: readonly string[]): Promise<StartedHttp> {
  const child = spawnMcp(['--http', ...words])
  let errors = ''
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const closed = once(child, 'close') as Promise<[number | null]>
  const address = /(http:\S+)\nAuthorization: Bearer (\S+)\n/
  while (!address.test(errors))
    await Promise.race([once(child.stderr, 'data'), failed(closed, () => errors)])
  const [, url, token] = address.exec(errors)!
  return {
    url: url!,
    token: token!,
    errors: () => errors,
    output: () => output,
    async close() {
      child.kill('SIGTERM')
      const [code] = await closed
      return code
    },
  }
}

async function failed(closed: Promise<unknown>, errors: () => string): Promise<never> {
  await closed
  throw new Error(`the server exited: ${errors()}`)
}
