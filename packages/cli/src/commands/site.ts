import { resolve } from 'node:path'
import type { Command } from 'commander'
import { ModelError } from '@toolglot/agent'
import type { Site, SiteStep } from '@toolglot/agent/browser'
import { UserError } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import { Exit } from '../exit.ts'
import { showExamples, siteExamples } from '../show/examples.ts'
import { toJson } from '../show/text/json.ts'
import { table } from '../show/text/table.ts'
import { createStopSignal } from '../process-events.ts'
import { type Colors, colorsOf, columnsOf, type Terminal, write } from '../terminal.ts'

interface Flags {
  readonly login?: true
  readonly json?: true
}

/** `toolglot site`: tests a site file, or logs in to its page. */
export function addSite(program: Command, terminal: Terminal): void {
  const { bold } = colorsOf(terminal.output, terminal.env)
  program
    .command('site')
    .description(
      'try a site file: open the chat page, try each selector and send one short message; exit code 1 if something is broken',
    )
    .argument('<file>', 'the site file')
    .option('--login', 'open a window, and wait until you are logged in')
    .option('--json', 'print each step as a line of JSON')
    .showHelpAfterError('Help: toolglot site --help')
    .addHelpText('after', () => `\n${showExamples(bold('Examples:'), siteExamples)}`)
    .action(async (file: string, { login, json }: Flags) => {
      const stop = createStopSignal()
      try {
        const site = await read(resolve(terminal.cwd, file))
        await (login
          ? logIn(site, file, terminal, stop.signal)
          : check(site, json === true, terminal, stop.signal))
      } catch (error) {
        if (stop.signal.aborted) throw new Exit(1)
        if (!(error instanceof ModelError)) throw error
        throw new UserError('data', visibleLine(error.message))
      } finally {
        stop.forget()
      }
    })
}

async function read(file: string): Promise<Site> {
  const { readSite } = await import('@toolglot/agent/browser')
  try {
    return readSite(file)
  } catch (error) {
    // The file is missing, is not JSON, or has an invalid field.
    if (!(error instanceof TypeError)) throw error
    throw new UserError('data', visibleLine(error.message))
  }
}

async function check(
  site: Site,
  json: boolean,
  { output, env }: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const { browserEnvironment, checkSite } = await import('@toolglot/agent/browser')
  const colors = colorsOf(output, env)
  let isBroken = false
  for await (const step of checkSite({ ...browserEnvironment(env, site), site, signal })) {
    isBroken ||= step.status === 'broken'
    await write(output, json ? `${toJson(step)}\n` : show(step, colors, columnsOf(output)))
  }
  if (isBroken) throw new Exit(1)
}

async function logIn(
  site: Site,
  file: string,
  { output, env }: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const { browserEnvironment, logIn: waitForLogin } = await import('@toolglot/agent/browser')
  await write(output, 'Log in in the window. It closes as soon as the chat is available.\n')
  await waitForLogin({ ...browserEnvironment(env, site), site, signal })
  await write(output, `You are logged in. Try it with: toolglot site ${visibleLine(file)}\n`)
}

function show({ name, status, says, advice }: SiteStep, colors: Colors, edge: number): string {
  const paint = { ok: colors.green, warning: colors.yellow, broken: colors.red }
  const rows = [
    [status.padEnd(7), visibleLine(name).padEnd(13), visibleLine(says)],
    ...(advice === undefined ? [] : [['', '', visibleLine(advice)]]),
  ]
  return table(
    rows,
    (cell, row, column) => (row === 0 && column === 0 ? paint[status](cell) : cell),
    edge,
  )
}
