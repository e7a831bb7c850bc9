import type { Command } from 'commander'
import type { Tokens } from '@toolglot/server/internal'
import { userDirectories, UserError } from '@toolglot/workspace'
import { quote, stateFolder } from '@toolglot/workspace/internal'
import {
  type Client,
  type GatewayAddress,
  type Connection,
  connectionOf,
} from '../connect/connection.ts'
import { checkModel } from '../connect/check-model.ts'
import { clients } from '../connect/clients.ts'
import { settingsText } from '../connect/edit-file.ts'
import { connectExamples, showExamples } from '../show/examples.ts'
import { table } from '../show/text/table.ts'
import { colorsOf, type Terminal, write } from '../terminal.ts'

interface Flags {
  readonly write?: true
  readonly undo?: true
  readonly force?: true
  readonly url?: string
  readonly token?: string
  readonly model: string
}

/** `toolglot connect`: connects other agents to the gateway through their settings. */
export function addConnect(program: Command, terminal: Terminal): void {
  const { bold } = colorsOf(terminal.output, terminal.env)
  program
    .command('connect')
    .description('connect another agent to the gateway: print its settings, or write them')
    .argument('[client]', 'the agent (default: list all of them)')
    .option('--write', 'write the settings, with a separate token')
    .option('--undo', 'restore the previous settings, and revoke the token')
    .option('--force', 'with --undo: even if the file has changed since')
    .option('--model <name>', 'the model that the agent uses', 'default')
    .option('--url <url>', 'the address of the gateway (default: this machine)')
    .option('--token <token>', 'a token of the gateway (default: a new one)')
    .showHelpAfterError('Help: toolglot connect --help')
    .addHelpText('after', () => `\n${showExamples(bold('Examples:'), connectExamples)}`)
    .action((name: string | undefined, flags: Flags) => run(name, flags, terminal))
}

async function run(name: string | undefined, flags: Flags, terminal: Terminal): Promise<void> {
  checkFlags(flags)
  if (name === undefined) return list(terminal)
  const client = clients.find(({ id }) => id === name)
  if (!client)
    throw new UserError(
      'usage',
      `${quote(name)} is not one of ${clients.map(({ id }) => id).join(', ')}. To connect others, see docs/gateway.md`,
    )
  if (flags.undo) return undo(client, flags, terminal)
  if (flags.write) return writeSettings(client, flags, terminal)
  return print(client, flags, terminal)
}

function checkFlags({ write: writes, undo: undoes, force, url, token, model }: Flags): void {
  const wrong = (message: string): UserError => new UserError('usage', message)
  if (writes && undoes) throw wrong('Choose --write or --undo, not both')
  if (force && !undoes) throw wrong('--force requires --undo')
  // Allows only characters that are valid in a header and that no client interprets as a variable
  // or a command.
  if (token !== undefined && !/^[\w.~+/-]+=*$/.test(token))
    throw wrong('A token can contain only letters, digits and -._~+/. Use one from toolglot token')
  if (/\p{C}/u.test(model) || model === '')
    throw wrong(`${quote(model)} is not the name of a model. List them with: toolglot models`)
  if (url === undefined) return
  if (!isOrigin(url))
    throw wrong(`${quote(url)} is not an address such as https://tools.example.com, without a path`)
  if (writes && token === undefined)
    throw wrong('--url requires --token. Create a token where the gateway runs')
}

/** True for an address without a path, a password or any other part. */
function isOrigin(url: string): boolean {
  return /^https?:\/\/[\w.:[\]-]+$/.test(url) && URL.canParse(url)
}

async function list(terminal: Terminal): Promise<void> {
  const { bold } = colorsOf(terminal.output, terminal.env)
  const rows = clients.map((client) => {
    const connection = connectionFor(client, terminal)
    const state = connection?.isWritten() ? 'connected' : connection ? '' : 'by hand'
    return [client.id, client.name, state]
  })
  await write(
    terminal.output,
    table(rows, (cell, _, column) => (column === 0 ? bold(cell) : cell)),
  )
}

async function print(client: Client, flags: Flags, terminal: Terminal): Promise<void> {
  const { token = `paste the output of "toolglot token create ${client.id}"` } = flags
  const gateway = await addressOf(flags, token, terminal)
  const file = fileOf(client, terminal)
  await write(terminal.output, settingsText(client.settings(gateway)))
  const where = file === undefined ? '' : `Put these settings in ${file}.\n`
  const how = file === undefined ? '' : `To write them: toolglot connect ${client.id} --write\n`
  await write(terminal.errors, `${where}${how}${nextOf(client, flags)}`)
}

async function writeSettings(client: Client, flags: Flags, terminal: Terminal): Promise<void> {
  const connection = connectionFor(client, terminal)
  const file = fileOf(client, terminal)
  if (!connection || file === undefined)
    throw new UserError(
      'usage',
      `The settings of ${client.id} are not in a file. To see what to set, run: toolglot connect ${client.id}`,
    )
  const gateway = await addressOf(flags, '', terminal)
  // Checked first, so that no token is created for a file that cannot be written.
  connection.check(client.settings(gateway))
  const tokens = await openTokens(terminal)
  const token = flags.token ?? (await newToken(client, tokens, terminal))
  try {
    connection.write(client.settings({ ...gateway, token }))
  } catch (error) {
    if (flags.token === undefined) tokens.revoke(tokenName(client))
    throw error
  }
  // Revokes the token in the previous settings.
  if (flags.token !== undefined) tokens.revoke(tokenName(client))
  await write(terminal.output, `${client.name} is connected by ${file}.\n`)
  await write(
    terminal.errors,
    `${nextOf(client, flags)}To undo it: toolglot connect ${client.id} --undo\n`,
  )
}

async function undo(client: Client, { force }: Flags, terminal: Terminal): Promise<void> {
  const connection = connectionFor(client, terminal)
  if (!connection)
    throw new UserError(
      'usage',
      `The settings of ${client.id} are not in a file. Remove them by hand`,
    )
  connection.undo({ force: force === true })
  ;(await openTokens(terminal)).revoke(tokenName(client))
  await write(terminal.output, `The previous settings of ${client.name} were restored.\n`)
}

/**
 * The address of the gateway, from the flags or from its last start. Throws a UserError if the
 * gateway does not have the model.
 */
async function addressOf(
  { url, model, token: named }: Flags,
  token: string,
  terminal: Terminal,
): Promise<GatewayAddress> {
  if (url !== undefined) {
    await checkModel({ url, token: named ?? '', model }, { isRunning: true }, terminal)
    return { url, token, model }
  }
  const { findServer } = await import('../serve/running-server.ts')
  const server = await findServer(terminal)
  const gateway = { url: server?.url ?? USUAL_URL, model }
  const isRunning = server?.answers === 'toolglot'
  if (!isRunning)
    await write(terminal.errors, 'The gateway is not running: toolglot serve starts it.\n')
  const own = isRunning ? (await openTokens(terminal)).main() : ''
  await checkModel({ ...gateway, token: named ?? own }, { isRunning }, terminal)
  return { ...gateway, token }
}

const USUAL_URL = 'http://127.0.0.1:4747'

/**
 * The tokens of the server on this machine. TOOLGLOT_TOKEN is not used: it has full access and
 * cannot be revoked.
 */
async function openTokens({ env }: Terminal): Promise<Tokens> {
  // Imported here so that no other command has to load it.
  const server = await import('@toolglot/server/internal')
  return server.openTokens({ stateFolder: stateFolder(userDirectories(env)) })
}

/** Creates a token that can only use models. It replaces the client's previous one. */
async function newToken(client: Client, tokens: Tokens, terminal: Terminal): Promise<string> {
  const name = tokenName(client)
  const { findServer } = await import('../serve/running-server.ts')
  const server = await findServer(terminal)
  tokens.revoke(name)
  const token = tokens.create(name, ['gateway'])
  const isRunning = server?.answers === 'toolglot'
  if (isRunning && !(await server.accepts(token))) {
    tokens.revoke(name)
    throw new UserError(
      'data',
      `The server at ${server.url} was started with TOOLGLOT_TOKEN, so it accepts no new token. Start it without, or pass its token with --token`,
    )
  }
  if (!isRunning && terminal.env['TOOLGLOT_TOKEN'] !== undefined)
    await write(
      terminal.errors,
      'TOOLGLOT_TOKEN is set: a server started with it accepts no other token, not even that of this agent.\n',
    )
  return token
}

function tokenName({ id }: Client): string {
  return `connect-${id}`
}

function nextOf({ next }: Client, { model }: Flags): string {
  return `Then: ${next.replace('MODEL', model)}\n`
}

function connectionFor(client: Client, terminal: Terminal): Connection | undefined {
  const file = fileOf(client, terminal)
  return file === undefined
    ? undefined
    : connectionOf(client.id, file, stateFolder(userDirectories(terminal.env)))
}

function fileOf(client: Client, { env }: Terminal): string | undefined {
  return client.file?.({ home: userDirectories(env).home, env })
}
