import { randomBytes } from 'node:crypto'
import { type Command, Option } from 'commander'
import type { HttpServer } from '@toolglot/tools/mcp'
import { openTools, UserError } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import { printWarnings, workspaceForTools } from '../open-workspace.ts'
import { createStopSignal, untilAborted } from '../process-events.ts'
import { mcpExamples, showExamples } from '../show/examples.ts'
import { colorsOf, type Terminal, warn } from '../terminal.ts'
import { version } from '../version.ts'
import { addPermissionFlags, type PermissionFlags, portOf } from './flags.ts'

interface Flags extends PermissionFlags {
  readonly http?: true
  readonly port?: number
}

/** `toolglot mcp`: serves the tools to other agents. */
export function addMcp(program: Command, terminal: Terminal): void {
  const { bold } = colorsOf(terminal.output, terminal.env)
  const command = program
    .command('mcp')
    .description('serve the tools over MCP, on stdio or over HTTP')
    .option('--http', 'use streamable HTTP on 127.0.0.1; prints a bearer token')
    .addOption(
      new Option('--port <number>', 'the port for --http (default: any free port)').argParser(
        portOf,
      ),
    )
  addPermissionFlags(command)
    .showHelpAfterError('Help: toolglot mcp --help')
    .addHelpText('after', () => `\n${showExamples(bold('Examples:'), mcpExamples)}`)
    .action((flags: Flags) => run(flags, terminal))
}

async function run(flags: Flags, terminal: Terminal): Promise<void> {
  if (flags.port !== undefined && !flags.http)
    throw new UserError('usage', '--port requires --http')
  const id = `mcp-${randomBytes(4).toString('hex')}`
  const workspace = await workspaceForTools(flags, terminal)
  printWarnings(workspace, terminal)
  const permissions = await workspace.permissions()
  const stop = createStopSignal()
  try {
    // Tools of MCP servers in the settings are not offered.
    const { host, tools, warnings, close } = await openTools(workspace, {
      startServer: () => false,
      signal: stop.signal,
    })
    try {
      for (const warning of warnings) warn(warning, terminal)
      // Imported here so that no other command has to load it.
      const { mcpServers, serveHttp, serveStdio } = await import('@toolglot/tools/mcp')
      const servers = mcpServers({
        tools,
        permissions,
        fileSystem: host.fileSystem,
        run: id,
        version: version(),
      })
      const onError = (error: Error): void => warn(visibleLine(error.message), terminal)
      terminal.errors.write(`To undo file changes: toolglot undo ${id}\n`)
      if (flags.http) {
        const { port = 0 } = flags
        await untilStopped(serveHttp(servers, { port, onError }), stop.signal, terminal)
      } else {
        const { input, output } = terminal
        await serveStdio(servers, { input, output, signal: stop.signal, onError })
      }
    } finally {
      stop.forget()
      await close()
    }
  } finally {
    stop.forget()
  }
}

async function untilStopped(
  starting: Promise<HttpServer>,
  signal: AbortSignal,
  { errors }: Terminal,
): Promise<void> {
  const server = await starting.catch((error: Error) => {
    throw new UserError('data', `Cannot listen: ${error.message}. Try another port, or omit --port`)
  })
  errors.write(`${server.url}\nAuthorization: Bearer ${server.token}\n`)
  await untilAborted(signal)
  await server.close()
}
